import { Paperclip, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../../ui/button.tsx';
import { fittingFiles } from '../../ui/fitting-files.ts';
import { keyed } from '../../ui/keyed.ts';
import { showControls } from '@attractor/api/shown';

type AttachmentPickerProps = {
  readonly files: ReadonlyArray<File>;
  readonly onChange: (files: ReadonlyArray<File>) => void;
};

/** Files that go along: chosen, or dropped or pasted anywhere on the page. */
export function AttachmentPicker({ files, onChange }: AttachmentPickerProps) {
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const add = (more: FileList | null | undefined) => {
    if (more !== null && more !== undefined && more.length > 0) onChange([...files, ...fittingFiles(more)]);
  };
  useEffect(() => {
    const paste = (event: ClipboardEvent) => add(event.clipboardData?.files);
    // Beside a place for it, a browser would leave the page and open the file.
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => void (event.relatedTarget === null && setOver(false));
    const drop = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      add(event.dataTransfer?.files);
    };
    const away = new AbortController();
    window.addEventListener('paste', paste, away);
    window.addEventListener('dragover', over, away);
    window.addEventListener('dragleave', leave, away);
    window.addEventListener('drop', drop, away);
    return () => away.abort();
  });
  return (
    <div
      className={`flex flex-wrap items-center gap-2 rounded-md border border-dashed px-3 py-2 text-sm ${isOver ? 'border-ink bg-well' : 'border-edge'}`}
    >
      <Button kind="quiet" className="-ml-3" onClick={() => input.current?.click()}>
        <Paperclip size={14} aria-hidden /> Attach files
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        aria-label="Attach files"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => add(event.target.files)}
      />
      {files.length === 0 ? <span className="text-faint">or drop or paste them anywhere</span> : null}
      {keyed(files).map(({ key, item: file }) => (
        <span key={key} className="inline-flex items-center rounded-md bg-well pl-2">
          <span className="max-w-60 truncate">{showControls(file.name)}</span>
          <IconButton
            label={`Leave ${showControls(file.name)} out`}
            onClick={() => onChange(files.filter((one) => one !== file))}
          >
            <X size={13} aria-hidden />
          </IconButton>
        </span>
      ))}
    </div>
  );
}

function hasFiles({ dataTransfer }: DragEvent): boolean {
  return dataTransfer?.types.includes('Files') === true;
}
