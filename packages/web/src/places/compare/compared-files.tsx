import { keyOf } from '@attractor/api';
import { DiffFile } from '../../diff/diff-file.tsx';
import { Panel } from '../../ui/panel.tsx';
import { type Compared, filesOf, showControls } from '@attractor/api/shown';
import { Table, type TableColumn } from '../../ui/table.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';

/** Which files each changed; one of them is shown as each left it. */
export function ComparedFiles({ runs }: { readonly runs: ReadonlyArray<Compared> }) {
  const [given, show] = useAddressValue('file');
  const files = filesOf(runs);
  const path = files.find((one) => one === given) ?? files[0];
  if (path === undefined) return null;
  return (
    <>
      <Table
        label="Files that were changed"
        rows={files}
        keyOf={(file) => file}
        columns={columnsOf(runs, path, show)}
      />
      <div
        className="grid gap-3 overflow-x-auto md:auto-cols-[minmax(280px,1fr)] md:grid-flow-col"
        tabIndex={0}
        role="region"
        aria-label={`${showControls(path)} in each run`}
      >
        {runs.map((one) => (
          <Side key={one.run.id} one={one} path={path} />
        ))}
      </div>
    </>
  );
}

function columnsOf(
  runs: ReadonlyArray<Compared>,
  path: string,
  onShow: (path: string) => void,
): ReadonlyArray<TableColumn<string>> {
  return [
    { name: 'File', show: (file) => <FileButton file={file} isShown={file === path} onShow={() => onShow(file)} /> },
    ...runs.map((one) => ({ name: keyOf(one.run), isNumber: true, show: (file: string) => countOf(one, file) })),
  ];
}

type FileButtonProps = { readonly file: string; readonly isShown: boolean; readonly onShow: () => void };

function FileButton({ file, isShown, onShow }: FileButtonProps) {
  return (
    <button
      type="button"
      aria-pressed={isShown}
      onClick={onShow}
      className={`min-h-link text-left font-mono wrap-anywhere underline-offset-2 hover:underline ${isShown ? 'font-semibold' : ''}`}
    >
      {showControls(file)}
    </button>
  );
}

function countOf({ diff }: Compared, path: string) {
  const file = diff?.files.find((one) => one.path === path);
  if (file === undefined) return <span className="text-faint">–</span>;
  return (
    <>
      <span className="text-good">+{file.additions}</span> <span className="text-bad">−{file.deletions}</span>
    </>
  );
}

function Side({ one: { run, diff }, path }: { readonly one: Compared; readonly path: string }) {
  const file = diff?.files.find((known) => known.path === path);
  return (
    <Panel title={`${showControls(path)} in ${keyOf(run)}`} flush>
      {file === undefined ? (
        <p className="px-4 py-3 text-sm text-soft">This run did not change it.</p>
      ) : (
        <DiffFile file={file} layout="unified" />
      )}
    </Panel>
  );
}
