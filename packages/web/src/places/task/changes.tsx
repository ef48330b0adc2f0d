import { keyOf, type FileDiff, type TaskDiff, type TaskState } from '@attractor/api';
import { useEffect } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useKept } from '../../data/kept.ts';
import { For, useMay } from '../../data/role.tsx';
import { latestChecks } from '../../data/task-checks.ts';
import type { TaskWorld } from '../../data/task-world.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { useStates } from '../../data/use-states.ts';
import type { DiffLayout } from '../../diff/diff-file.tsx';
import { useLineComments } from '../../diff/line-comments.ts';
import { useViewed } from '../../diff/viewed.ts';
import { ChecksLine } from '../../run/checks-line.tsx';
import { Empty, Loading, LoadFailed } from '../../ui/notice.tsx';
import { showControls, typeset } from '../../ui/plain-text.ts';
import { Segments } from '../../ui/segments.tsx';
import { useWide } from '../../ui/use-wide.ts';
import { markOpened } from '../../waiting/opened-change.ts';
import { ChangedFile } from './changed-file.tsx';
import { fileId } from './file-id.ts';
import { ReviewBar } from './review-bar.tsx';

const LAYOUTS = [
  { name: 'unified', label: 'Unified' },
  { name: 'split', label: 'Split' },
] as const;

/** No agent would read what is said of it. */
const OVER: ReadonlySet<TaskState['kind'] | undefined> = new Set(['merged', 'closed']);

/** Everything that the work changes, file by file, and the way to accept it or to ask for more. */
export function Changes({ world }: { readonly world: TaskWorld }) {
  const { taskId } = world.task;
  useAfterLog(['diff', taskId]);
  const diff = useAnswer(['diff', taskId], () => api.branches.diff(taskId));
  const isReady = diff.state === 'ready';
  useEffect(() => {
    if (isReady) markOpened(taskId);
  }, [isReady, taskId]);
  if (diff.state === 'loading') return <Loading lines={8} />;
  if (diff.state === 'failed')
    return diff.error.code === 'not_found' || diff.error.code === 'blocked' ? (
      <Empty title="There is no change yet">{typeset(diff.error.message)}</Empty>
    ) : (
      <LoadFailed error={diff.error} again={diff.again} />
    );
  if (diff.value.files.length === 0)
    return <Empty title="Nothing has changed yet">The files appear here as soon as an agent has changed one.</Empty>;
  return <Diff world={world} diff={diff.value} />;
}

function Diff({ world, diff }: { readonly world: TaskWorld; readonly diff: TaskDiff }) {
  const { taskId, task } = world.task;
  const [kept, setLayout] = useKept('diff-layout');
  const isWide = useWide();
  const layout: DiffLayout = isWide && kept === 'split' ? 'split' : 'unified';
  const viewed = useViewed(taskId);
  const remarks = useLineComments(taskId);
  const seen = diff.files.filter(viewed.isViewed).length;
  const mayReview = useMay('operator');
  const isOver = OVER.has(useStates([taskId])[taskId]?.kind);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[240px_minmax(0,1fr)]">
      <FileTree files={diff.files} isViewed={viewed.isViewed} />
      <div className="flex min-w-0 flex-col gap-4">
        <div className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2 text-sm text-soft md:flex-nowrap">
          <span className="min-w-0 md:truncate" title={showControls(diff.branch)}>
            {diff.filesChanged} {diff.filesChanged === 1 ? 'file' : 'files'},{' '}
            <span className="text-good">+{diff.additions}</span> <span className="text-bad">−{diff.deletions}</span> on{' '}
            <code className="font-mono wrap-anywhere">{showControls(diff.branch)}</code>
          </span>
          <span className="shrink-0">
            {seen} of {diff.files.length} viewed
          </span>
          <span className="ml-auto hidden shrink-0 md:inline">
            <Segments label="Layout" choices={LAYOUTS} chosen={layout} onChoose={setLayout} />
          </span>
        </div>
        {task === null ? null : <ChecksLine checks={latestChecks(world)} path={`/tasks/${keyOf(task)}?tab=checks`} />}
        {diff.truncated ? (
          <p className="text-sm text-wait">The change is too large to be shown whole: this is its beginning.</p>
        ) : null}
        {diff.files.map((file) => (
          <ChangedFile
            key={file.path}
            taskId={taskId}
            file={file}
            layout={layout}
            isViewed={viewed.isViewed(file)}
            onViewed={() => viewed.turn(file)}
            comments={remarks.comments}
            {...(isOver || !mayReview ? {} : { onComment: remarks.put })}
          />
        ))}
        {isOver ? (
          <p className="text-sm text-soft">Nothing is asked about it any more. Reopen the task to have more changed.</p>
        ) : (
          <For least="operator" what="review this">
            <ReviewBar world={world} remarks={remarks} fileCount={diff.files.length} seen={seen} />
          </For>
        )}
      </div>
    </div>
  );
}

type FileTreeProps = {
  readonly files: ReadonlyArray<FileDiff>;
  readonly isViewed: (file: FileDiff) => boolean;
};

/** Files under their folders; a click goes to the file. */
function FileTree({ files, isViewed }: FileTreeProps) {
  const folders = [...new Set(files.map(({ path }) => folderOf(path)))].toSorted();
  return (
    <nav
      aria-label="Changed files"
      className="hidden rounded-lg border border-line bg-panel p-2 text-sm xl:sticky xl:top-52 xl:block"
    >
      {folders.map((folder) => (
        <div key={folder}>
          {folder === '' ? null : (
            <p title={showControls(folder)} className="truncate px-2 py-1 text-faint">
              {showControls(folder)}
            </p>
          )}
          <ul>
            {files
              .filter(({ path }) => folderOf(path) === folder)
              .map((file) => (
                <li key={file.path}>
                  <a
                    href={`#${fileId(file.path)}`}
                    className={`flex min-h-7 items-center gap-2 rounded pr-2 hover:bg-well ${folder === '' ? 'pl-2' : 'pl-5'} ${isViewed(file) ? 'text-faint' : ''}`}
                  >
                    <span
                      title={showControls(file.path)}
                      className={`min-w-0 flex-1 truncate ${isViewed(file) ? 'line-through' : ''}`}
                    >
                      {showControls(file.path.slice(folder.length))}
                    </span>
                    <span className="text-good tabular-nums">+{file.additions}</span>
                    <span className="text-bad tabular-nums">−{file.deletions}</span>
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
