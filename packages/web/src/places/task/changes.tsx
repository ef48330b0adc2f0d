import { keyOf, type TaskDiff, type TaskState } from '@attractor/api';
import { useEffect } from 'react';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useKept } from '../../data/kept.ts';
import { For, useMay } from '../../data/role.tsx';
import { useAfterLog } from '../../data/use-after-log.ts';
import { useStates } from '../../data/use-states.ts';
import { ChangeFacts } from '../../diff/change-facts.tsx';
import type { DiffLayout } from '../../diff/diff-file.tsx';
import { FileTree } from '../../diff/file-tree.tsx';
import { ReviewFiles } from '../../diff/review-files.tsx';
import { useViewed } from '../../diff/viewed.ts';
import { ChecksLine } from '../../run/checks-line.tsx';
import { Empty, Loading, LoadFailed } from '../../ui/notice.tsx';
import { typeset, latestChecks, type TaskWorld } from '@attractor/api/shown';
import { Segments } from '../../ui/segments.tsx';
import { useWide } from '../../ui/use-wide.ts';
import { markOpened } from '../../waiting/opened-change.ts';
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
  const mayReview = useMay('operator');
  const state = useStates([taskId])[taskId];
  const isOver = OVER.has(state?.kind);
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[240px_minmax(0,1fr)]">
      <FileTree
        files={diff.files}
        isViewed={viewed.isViewed}
        className="hidden max-h-[calc(100dvh-232px)] overflow-y-auto xl:sticky xl:top-52 xl:block"
      />
      <div className="flex min-w-0 flex-col gap-4">
        <ChangeFacts diff={diff} seen={viewed.seenOf(diff.files)}>
          <span className="ml-auto hidden shrink-0 md:inline">
            <Segments label="Layout" choices={LAYOUTS} chosen={layout} onChoose={setLayout} />
          </span>
        </ChangeFacts>
        {task === null ? null : <ChecksLine checks={latestChecks(world)} path={`/tasks/${keyOf(task)}?tab=checks`} />}
        <ReviewFiles taskId={taskId} diff={diff} layout={layout} viewed={viewed} mayComment={mayReview && !isOver} />
        {isOver ? (
          <p className="text-sm text-soft">It no longer waits for a review. Reopen the task to have more changed.</p>
        ) : (
          <For least="operator" what="review this">
            <ReviewBar
              world={world}
              left={diff.files.length - viewed.seenOf(diff.files)}
              canMerge={state?.steps.some(({ id }) => id === 'approve_and_merge') === true}
            />
          </For>
        )}
      </div>
    </div>
  );
}
