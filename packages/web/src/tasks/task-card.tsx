import { keyOf, rowStep, shownSteps, spentOnRow, type TaskRow, type TaskState } from '@attractor/api';
import { Hand } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { StepBar } from '../run/step-bar.tsx';
import { showCost } from '../ui/amounts.ts';
import { showControls } from '../ui/plain-text.ts';
import { CHECK_STATUS, runStatus, StatusIcon, stateStatus } from '../ui/status.tsx';
import { Ago, Elapsed } from '../ui/time.tsx';

type TaskCardProps = { readonly row: TaskRow; readonly project: string; readonly state: TaskState | undefined };

/** One task: what it is, what is happening, whether it needs a person. */
export const TaskCard = memo(function TaskCard({ row, project, state }: TaskCardProps) {
  const [waiting] = row.waiting;
  return (
    <li className="lazy relative flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-2.5 hover:bg-well">
      <div className="min-w-0 flex-[1_1_22rem]">
        <Link
          href={`/tasks/${keyOf(row.task)}`}
          className="block truncate font-medium after:absolute after:inset-0 after:content-['']"
        >
          {showControls(row.task.title)}
        </Link>
        <p className="truncate text-[12px] text-faint">
          <span className="tabular-nums">{keyOf(row.task)}</span>
          {' · '}
          {showControls(project)}
          {project === '' ? null : ' · '}
          <Ago at={row.task.createdAt} />
          {row.run === null ? null : ` · ${row.run.agentType}`}
        </p>
      </div>
      {state?.needsPerson === true ? (
        <span className="inline-flex items-center gap-1.5 rounded-full bg-wait-well px-2.5 py-0.5 text-[12px] font-medium text-wait">
          <Hand size={13} aria-hidden />
          {showControls(state.label)} · <Ago at={state.since} />
        </span>
      ) : waiting === undefined ? null : (
        <span className="inline-flex items-center gap-1.5 rounded-full bg-wait-well px-2.5 py-0.5 text-[12px] font-medium text-wait">
          <Hand size={13} aria-hidden />
          {WAITING[waiting.type]} · <Ago at={waiting.createdAt} />
        </span>
      )}
      <RunOfCard row={row} state={state} />
    </li>
  );
});

const WAITING: Readonly<Record<TaskRow['waiting'][number]['type'], string>> = {
  question: 'Question',
  options: 'Choice',
  plan_approval: 'Approve plan',
  tool_approval: 'Allow command',
  review: 'Review',
  split_proposal: 'Split',
  budget: 'Raise budget',
  unknown: 'Unknown question',
};

function RunOfCard({ row, state }: { readonly row: TaskRow; readonly state: TaskState | undefined }) {
  const { run } = row;
  if (run === null) return <span className="text-[12px] text-faint">{state?.label ?? 'Not started'}</span>;
  const status = state === undefined ? runStatus(run.status, run.steps) : stateStatus(state);
  const isWorking = state === undefined ? run.status === 'running' : state.kind === 'working';
  const step = rowStep(row);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[12px] sm:gap-x-5 text-soft">
      <Checks row={row} />
      <span className="flex items-center gap-2 sm:w-40">
        <StepBar steps={shownSteps(run.steps, run)} />
        <span className="truncate sm:w-16">{isWorking ? step : ''}</span>
      </span>
      <span className="inline-flex items-center gap-1.5 sm:w-44">
        <StatusIcon status={status} size={13} />
        <span className="truncate" title={showControls(status.label)}>
          {showControls(status.label)}
        </span>
      </span>
      <span className="text-right sm:w-16">
        {isWorking || run.finishedAt !== null ? <Elapsed since={run.startedAt} until={run.finishedAt} /> : null}
      </span>
      <span className="text-right whitespace-nowrap tabular-nums sm:min-w-22">{showCost(spentOnRow(row).costUsd)}</span>
    </div>
  );
}

/** A dot for each check on the branch; the base only shows what was broken before. */
function Checks({ row }: { readonly row: TaskRow }) {
  const checks = row.run?.checks.filter((check) => check.phase === 'branch') ?? [];
  if (checks.length === 0) return null;
  return (
    <span className="flex items-center gap-1">
      {checks.map((check) => {
        const status = check.passed ? CHECK_STATUS.passed : CHECK_STATUS.failed;
        const text = `Check ${check.name}: ${status.label.toLowerCase()}`;
        return (
          <span key={check.name} title={text} className="relative">
            <StatusIcon status={status} />
            <span className="sr-only">{text}</span>
          </span>
        );
      })}
    </span>
  );
}
