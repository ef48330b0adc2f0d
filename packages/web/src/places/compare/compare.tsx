import { keyOf, type AttemptGroup, type Task } from '@attractor/api';
import { Link } from 'wouter';
import { useAnswer } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { taskWorldSource } from '../../data/task-world.ts';
import { useAfterLog } from '../../data/use-after-log.ts';
import { useLive } from '../../data/use-live.ts';
import { PlaceLoading } from '../../shell/place-loading.tsx';
import { Empty } from '../../ui/notice.tsx';
import { PlaceFailed } from '../../ui/place-failed.tsx';
import { chosenRuns, showControls, type TaskWorld } from '@attractor/api/shown';
import { TaskGone } from '../../waiting/task-gone.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { usePageTitle } from '../../ui/use-page-title.ts';
import { ComparedCards } from './compared-cards.tsx';
import { ComparedFiles } from './compared-files.tsx';
import { RunPicker } from './run-picker.tsx';
import { StartAttempts } from './start-attempts.tsx';
import { useCompared } from './use-compared.ts';

/** Runs of a task side by side, and the way to take another one. */
export function ComparePlace({ id }: { readonly id: string }) {
  const world = useLive(taskWorldSource(id));
  useAfterLog(['attempts', id]);
  const groups = useAnswer(['attempts', id], () => api.attempts.list(id));
  if (world.state === 'failed') return <PlaceFailed error={world.error} again={world.again} />;
  if (groups.state === 'failed') return <PlaceFailed error={groups.error} again={groups.again} />;
  if (world.state === 'loading' || groups.state === 'loading') return <PlaceLoading />;
  const { task } = world.value.task;
  return task === null ? (
    <TaskGone world={world.value} />
  ) : (
    <Page world={world.value} task={task} groups={groups.value} />
  );
}

type PageProps = {
  readonly world: TaskWorld;
  readonly task: Task;
  readonly groups: ReadonlyArray<AttemptGroup>;
};

function Page({ world, task, groups }: PageProps) {
  const [named, name] = useAddressValue('runs');
  const [group = null] = groups;
  const ids = chosenRuns(world, group, named === null ? [] : named.split(','));
  const shownGroup = groups.find(({ attempts }) => attempts.some(({ run }) => ids.includes(run.id))) ?? null;
  const runs = useCompared(world, shownGroup, ids);
  usePageTitle(`Compare runs of ${keyOf(task)}`);
  return (
    <>
      <header className="mb-4">
        <p className="text-sm text-faint">
          <Link href={`/tasks/${keyOf(task)}`} className="underline underline-offset-2 hover:text-ink">
            {keyOf(task)} {showControls(task.title)}
          </Link>
        </p>
        <h1 className="mt-0.5 text-lg font-semibold tracking-tight">Compare runs</h1>
      </header>
      {world.task.runs.length < 2 ? (
        <Empty title="There are not two runs to compare yet">
          Let several agents try the same task: the project’s checks choose the best, and you may choose another.
        </Empty>
      ) : (
        <div className="flex flex-col gap-4">
          <RunPicker runs={world.task.runs} chosen={ids} onChoose={(keys) => name(keys.join(','))} />
          <ComparedCards runs={runs} group={shownGroup} />
          <ComparedFiles runs={runs} />
        </div>
      )}
      <div className="mt-4">
        <StartAttempts
          taskId={task.id}
          isFirst={world.task.runs.length < 2}
          isBusy={world.task.runs.some(({ run }) => run.status === 'running')}
        />
      </div>
    </>
  );
}
