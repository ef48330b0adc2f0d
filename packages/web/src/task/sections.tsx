import { type CheckResult, type HistoryEntry, keyOf, type TaskRun } from '@attractor/api';
import { Link } from 'wouter';
import { Checks } from '../run/checks.tsx';
import { Transcript } from '../run/transcript.tsx';
import { showClock, showCost, showDay } from '../ui/amounts.ts';
import { Markdown } from '../ui/markdown.tsx';
import { Empty } from '../ui/notice.tsx';
import { Panel } from '../ui/panel.tsx';
import { showControls } from '../ui/plain-text.ts';
import { isQueued, runStatus, StatusBadge } from '../ui/status.tsx';
import { Elapsed } from '../ui/time.tsx';
import { Artifacts } from './artifacts.tsx';
import type { TaskWorld } from '../task-world.ts';

type SectionProps = { readonly world: TaskWorld };

type Section = {
  readonly label: string;
  readonly count: (world: TaskWorld) => number;
  readonly body: (props: SectionProps) => React.ReactNode;
};

export type SectionName = 'conversation' | 'plan' | 'checks' | 'artifacts' | 'history';

export const SECTIONS: Readonly<Record<SectionName, Section>> = {
  conversation: { label: 'Conversation', count: (world) => world.task.runs.length, body: Conversation },
  plan: { label: 'Plan', count: () => 0, body: Plan },
  checks: { label: 'Checks', count: (world) => latestChecks(world).length, body: ChecksSection },
  artifacts: { label: 'Artifacts', count: (world) => world.task.artifacts.length, body: Artifacts },
  history: { label: 'History', count: () => 0, body: History },
};

function Conversation({ world }: SectionProps) {
  if (world.task.runs.length === 0) return <Empty title="No agent has worked on this yet">Start it above.</Empty>;
  return (
    <div className="flex flex-col gap-4">
      {world.task.runs.map((taskRun) => (
        <RunPanel key={taskRun.run.id} world={world} taskRun={taskRun} />
      ))}
    </div>
  );
}

function RunPanel({ world, taskRun: { run, steps, spent } }: SectionProps & { readonly taskRun: TaskRun }) {
  const view = world.runs[run.id];
  const side = (
    <span className="flex flex-wrap items-center justify-end gap-x-3 py-1 text-[12px] text-soft">
      <StatusBadge status={runStatus(run.status, steps)} />
      {isQueued(run.status, steps) ? null : <Elapsed since={run.startedAt} until={run.finishedAt} />}
      <span className="tabular-nums">{showCost(spent.costUsd)}</span>
      <Link href={`/runs/${keyOf(run)}`} className="underline underline-offset-2 hover:text-ink">
        Open
      </Link>
    </span>
  );
  const name = `${run.mode.charAt(0).toUpperCase()}${run.mode.slice(1)} run ${keyOf(run)}`;
  return (
    <Panel title={name} side={side} flush>
      {view === undefined ? null : <Transcript view={view} live={world.live[run.id]} />}
    </Panel>
  );
}

function Plan({ world }: SectionProps) {
  const plan = world.task.task?.plan ?? null;
  if (plan === null) return <Empty title="There is no plan yet">It appears here when the agent has written it.</Empty>;
  return (
    <div className="max-w-[90ch] rounded-lg border border-line bg-panel px-5 py-4">
      <Markdown text={plan} />
    </div>
  );
}

function ChecksSection({ world }: SectionProps) {
  const checks = latestChecks(world);
  if (checks.length === 0) {
    return (
      <Empty title="No checks have run">
        They run on the base commit and on the branch, once there is work to check.
      </Empty>
    );
  }
  return (
    <div className="max-w-[60rem] rounded-lg border border-line bg-panel px-4 py-3">
      <Checks checks={checks} />
    </div>
  );
}

/** From the newest run that has any. */
function latestChecks(world: TaskWorld): ReadonlyArray<CheckResult> {
  const ids = world.task.runs.map(({ run }) => run.id).toReversed();
  return ids.map((id) => world.runs[id]?.checks ?? []).find((checks) => checks.length > 0) ?? [];
}

function History({ world }: SectionProps) {
  return (
    <ol className="overflow-hidden rounded-lg border border-line bg-panel">
      {world.task.history.toReversed().map((entry) => (
        <HistoryLine key={entry.seq} entry={entry} />
      ))}
    </ol>
  );
}

const LEVELS = { debug: 'text-faint', info: '', warning: 'text-wait', error: 'text-bad' } as const;

function HistoryLine({ entry }: { readonly entry: HistoryEntry }) {
  return (
    <li className="flex flex-wrap items-baseline gap-x-3 border-t border-line px-4 py-1.5 text-[13px] first:border-t-0">
      <time dateTime={entry.at} title={showDay(entry.at)} className="w-20 text-[12px] text-faint tabular-nums">
        {showClock(entry.at)}
      </time>
      <span className={`min-w-0 flex-1 break-words ${LEVELS[entry.level]}`}>
        {entry.level === 'error' || entry.level === 'warning' ? `${entry.level}: ` : ''}
        {showControls(entry.summary)}
      </span>
      <span className="text-[12px] text-faint">{showControls(entry.actor.name ?? entry.actor.type)}</span>
      <code className="hidden w-40 truncate font-mono text-[11px] text-faint md:inline">{entry.type}</code>
    </li>
  );
}
