import { keyOf, type AttemptGroup, type CheckResult } from '@attractor/api';
import { Check, Trophy } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { For } from '../../data/role.tsx';
import {
  bestBy,
  changedLines,
  type Compared,
  failedChecks,
  outcomeWords,
  roundedTime,
  showControls,
  showCost,
  showDuration,
  showTokens,
  timeOf,
} from '@attractor/api/shown';
import { Button } from '../../ui/button.tsx';
import { Refused } from '../../ui/notice.tsx';
import { CHECK_STATUS, isQueued, runStatus, StatusBadge, StatusIcon } from '../../ui/status.tsx';
import { Elapsed } from '../../ui/time.tsx';
import { useChooseAttempt } from './use-choose-attempt.ts';

type CardsProps = { readonly runs: ReadonlyArray<Compared>; readonly group: AttemptGroup | null };

/** One card for each run; their lines stand at the same height. */
export function ComparedCards({ runs, group }: CardsProps) {
  const { busy, error, choose, stop } = useChooseAttempt(group);
  const best = {
    checks: bestBy(runs, (one) => failedChecks(one).length),
    lines: bestBy(runs, changedLines),
    cost: bestBy(runs, ({ view }) => view.spent.costUsd),
    time: bestBy(runs, roundedTime),
  };
  return (
    <div>
      {group?.status === 'running' ? (
        <For least="operator">
          <p className="mb-3 flex flex-wrap items-center gap-3 text-sm text-soft">
            The attempts are judged once all have ended.
            <Button kind="danger" isBusy={busy} onClick={() => void stop()}>
              Stop them
            </Button>
          </p>
        </For>
      ) : null}
      <div
        tabIndex={0}
        role="region"
        aria-label="Runs side by side"
        className="grid gap-3 overflow-x-auto md:auto-cols-[minmax(260px,1fr)] md:grid-flow-col md:grid-rows-[repeat(6,auto)]"
      >
        {runs.map((one) => (
          <Card key={one.run.id} one={one} best={best}>
            <Pick one={one} group={group} busy={busy} onPick={() => void choose(one.run)} />
          </Card>
        ))}
      </div>
      <Refused error={error} />
    </div>
  );
}

type Best = Readonly<Record<'checks' | 'lines' | 'cost' | 'time', ReadonlySet<string>>>;

const MARKS: Readonly<Record<keyof Best, string>> = {
  checks: 'fewest failed',
  lines: 'smallest',
  cost: 'cheapest',
  time: 'fastest',
};

type CardProps = { readonly one: Compared; readonly best: Best; readonly children: ReactNode };

function Card({ one, best, children }: CardProps) {
  const { run, view, diff } = one;
  const markOf = (name: keyof Best) => (best[name].has(run.id) ? MARKS[name] : null);
  return (
    <article
      aria-label={`Run ${keyOf(run)}`}
      className={`grid min-w-0 gap-3 rounded-lg border bg-panel p-4 text-sm md:row-span-6 md:grid-rows-subgrid ${one.attempt?.isTaken === true ? 'border-ink' : 'border-line'}`}
    >
      <CardHead one={one} />
      <div>
        <StatusBadge status={runStatus(run.status, view.steps)} />
        {run.outcome === null ? null : <p className="mt-1 text-soft">{outcomeWords(run.outcome)}</p>}
        {run.error === null ? null : (
          <p className="mt-1 line-clamp-4 break-words text-bad">{showControls(run.error)}</p>
        )}
      </div>
      <Line name="Checks" mark={markOf('checks')}>
        <CheckList checks={view.checks.filter(({ phase }) => phase === 'branch')} />
      </Line>
      <Line name="Change" mark={markOf('lines')}>
        {diff === null ? (
          <span className="text-faint">not known</span>
        ) : (
          <>
            {diff.filesChanged} {diff.filesChanged === 1 ? 'file' : 'files'},{' '}
            <span className="text-good">+{diff.additions}</span> <span className="text-bad">−{diff.deletions}</span>
          </>
        )}
      </Line>
      <div className="flex flex-wrap gap-x-6 gap-y-2">
        <Line name="Cost" mark={markOf('cost')}>
          {showCost(view.spent.costUsd)}
          <span className="text-faint"> · {showTokens(view.spent.inputTokens + view.spent.outputTokens)} tokens</span>
        </Line>
        <Line name="Time" mark={markOf('time')}>
          <Taken one={one} />
        </Line>
      </div>
      <div className="self-end">{children}</div>
    </article>
  );
}

/** A run that only waits for its turn has taken none. */
function Taken({ one }: { readonly one: Compared }) {
  const { run, view } = one;
  if (isQueued(run.status, view.steps)) return <span className="text-faint">not begun</span>;
  return run.finishedAt === null ? <Elapsed since={run.startedAt} until={null} /> : showDuration(timeOf(one) ?? 0);
}

function CardHead({ one: { run, view, attempt } }: { readonly one: Compared }) {
  return (
    <div>
      <h2 className="flex flex-wrap items-center gap-x-2 text-base font-semibold">
        <Link href={`/runs/${keyOf(run)}`} className="tap underline underline-offset-2">
          {keyOf(run)}
        </Link>
        {attempt === null ? null : <span className="font-normal text-soft">attempt {attempt.number}</span>}
        {attempt?.place === 1 ? (
          <span className="inline-flex items-center gap-1 text-sm sm:ml-auto font-medium text-soft">
            <Trophy size={13} aria-hidden /> {view.checks.length === 0 ? 'ranked first' : 'best by the checks'}
          </span>
        ) : null}
      </h2>
      <p className="mt-0.5 break-words text-soft">
        {[...new Set([run.mode, showControls(run.agentType), showControls(run.model)])]
          .filter((text) => text !== '')
          .join(' · ')}
      </p>
    </div>
  );
}

type LineProps = { readonly name: string; readonly mark: string | null; readonly children: ReactNode };

function Line({ name, mark, children }: LineProps) {
  return (
    <div className="min-w-0">
      <p className="flex items-center gap-1.5 text-faint">
        {name}
        {mark === null ? null : (
          <span className="inline-flex items-center gap-0.5 rounded-full bg-good-well px-1.5 text-good">
            <Check size={11} aria-hidden /> {mark}
          </span>
        )}
      </p>
      <div className="tabular-nums">{children}</div>
    </div>
  );
}

function CheckList({ checks }: { readonly checks: ReadonlyArray<CheckResult> }) {
  if (checks.length === 0) return <span className="text-faint">none ran</span>;
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-0.5">
      {checks.map(({ name, passed }) => {
        const status = passed ? CHECK_STATUS.passed : CHECK_STATUS.failed;
        return (
          <li key={name} className="inline-flex items-center gap-1">
            <StatusIcon status={status} />
            <span className="sr-only">{status.label}: </span>
            {showControls(name)}
          </li>
        );
      })}
    </ul>
  );
}

type PickProps = {
  readonly one: Compared;
  readonly group: AttemptGroup | null;
  readonly busy: boolean;
  readonly onPick: () => void;
};

function Pick({ one: { attempt, run, diff }, group, busy, onPick }: PickProps) {
  if (attempt === null || group?.status !== 'judged') return null;
  if (attempt.isTaken)
    return <p className="flex min-h-8 items-center font-medium">This one is on the task’s branch.</p>;
  return (
    <For least="operator" what="take another attempt">
      <Button
        isBusy={busy}
        disabled={diff === null || diff.files.length === 0}
        title={diff?.files.length === 0 ? 'It changed nothing.' : undefined}
        aria-label={`Take ${keyOf(run)} instead`}
        onClick={onPick}
      >
        Take this one instead
      </Button>
    </For>
  );
}
