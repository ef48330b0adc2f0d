import { type HistoryEntry, pendingPrompts, type PipelineStatus } from '@attractor/api';
import { api } from '../../data/api.ts';
import { For } from '../../data/role.tsx';
import { usePipelines } from '../../data/use-pipelines.ts';
import { Checks } from '../../run/checks.tsx';
import {
  eventWords,
  showClock,
  showControls,
  showDay,
  latestChecks,
  whoDid,
  statusesOf,
  type TaskWorld,
} from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Markdown } from '../../ui/markdown.tsx';
import { Empty, Refused } from '../../ui/notice.tsx';
import { useCommand } from '../../ui/use-command.ts';

type SectionProps = { readonly world: TaskWorld };

/** The plan that was approved, or waits. */
export function Plan({ world }: SectionProps) {
  const plan = world.task.task?.plan ?? null;
  if (plan === null) return <Empty title="There is no plan yet">It appears here when the agent has written it.</Empty>;
  if (pendingPrompts(world.task).some((asked) => asked.type === 'plan_approval' && asked.payload.plan === plan))
    return <Empty title="The plan waits for an answer">It is shown in full above until somebody answers.</Empty>;
  return (
    <div className="max-w-[90ch] rounded-lg border border-line bg-panel px-5 py-4">
      <Markdown text={plan} />
    </div>
  );
}

/** The checks of the newest run that has any: base beside branch; a person may let them run again on the work as it is. */
export function ChecksSection({ world }: SectionProps) {
  const checks = latestChecks(world);
  const again =
    world.task.runs.length === 0 ? null : (
      <For least="operator" what="run the checks">
        <RunChecks taskId={world.task.taskId} />
      </For>
    );
  return (
    <div className="flex max-w-[60rem] flex-col gap-3">
      {checks.length === 0 ? (
        <Empty title="No checks have run">
          They run on the base commit and on the branch, once there is work to check.
          <div className="mt-4 flex justify-center empty:hidden">{again}</div>
        </Empty>
      ) : (
        <>
          <div className="rounded-lg border border-line bg-panel px-4 py-3">
            <Checks checks={checks} />
          </div>
          {again}
        </>
      )}
    </div>
  );
}

function RunChecks({ taskId }: { readonly taskId: string }) {
  const { busy, error, run } = useCommand();
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button isBusy={busy} onClick={() => void run(() => api.checks.run(taskId))}>
        {busy ? 'Running the checks…' : 'Run the checks now'}
      </Button>
      <Refused error={error} />
    </div>
  );
}

/** Everything that happened to the task, the newest first. */
export function Past({ world }: SectionProps) {
  const { task } = world.task;
  const pipelines = usePipelines(task === null ? [] : [task]);
  const statuses = task === null ? [] : statusesOf(task, pipelines);
  return (
    <ol className="overflow-hidden rounded-lg border border-line bg-panel">
      {world.task.history.toReversed().map((entry) => (
        <HistoryLine key={entry.seq} entry={entry} statuses={statuses} />
      ))}
    </ol>
  );
}

const MARKS = { debug: '', info: '', warning: 'Warning: ', error: 'Error: ' } as const;
const LEVELS = { debug: 'text-faint', info: '', warning: 'text-wait', error: 'text-bad' } as const;

type HistoryLineProps = { readonly entry: HistoryEntry; readonly statuses: ReadonlyArray<PipelineStatus> };

function HistoryLine({ entry, statuses }: HistoryLineProps) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-t border-line px-4 py-1.5 text-sm first:border-t-0">
      <time dateTime={entry.at} title={showDay(entry.at)} className="w-20 text-sm text-faint tabular-nums">
        {showClock(entry.at)}
      </time>
      <span className={`min-w-0 wrap-anywhere max-md:order-last max-md:basis-full md:flex-1 ${LEVELS[entry.level]}`}>
        {MARKS[entry.level]}
        {eventWords(entry.summary, statuses)}
      </span>
      <span className="text-sm text-faint md:w-28 md:truncate md:text-right">{showControls(whoDid(entry.actor))}</span>
    </li>
  );
}
