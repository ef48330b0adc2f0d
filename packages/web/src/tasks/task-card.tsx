import { rowStep, shownSteps, spentOnRow, type TaskRow } from '@attractor/api';
import { Hand } from 'lucide-react';
import { memo } from 'react';
import { Link } from 'wouter';
import { StepBar } from '../run/step-bar.tsx';
import { showCost } from '../ui/amounts.ts';
import { showControls } from '../ui/plain-text.ts';
import { CHECK_STATUS, RUN_STATUS, StatusIcon } from '../ui/status.tsx';
import { Ago, Elapsed } from '../ui/time.tsx';

type TaskCardProps = { readonly row: TaskRow; readonly project: string };

/** One task: what it is, what is happening, whether it needs a person. */
export const TaskCard = memo(function TaskCard({ row, project }: TaskCardProps) {
  const [waiting] = row.waiting;
  return (
    <li className="lazy relative flex flex-wrap items-center gap-x-5 gap-y-2 px-4 py-2.5 hover:bg-well">
      <div className="min-w-0 flex-[1_1_22rem]">
        <Link
          href={`/tasks/${row.task.id}`}
          className="block truncate font-medium after:absolute after:inset-0 after:content-['']"
        >
          {showControls(row.task.title)}
        </Link>
        <p className="truncate text-[12px] text-faint">
          {showControls(project)}
          {project === '' ? null : ' · '}
          <Ago at={row.task.createdAt} />
          {row.run === null ? null : ` · ${row.run.agentType}`}
        </p>
      </div>
      {waiting === undefined ? null : (
        <span className="inline-flex items-center gap-1.5 rounded-full bg-wait-well px-2.5 py-0.5 text-[12px] font-medium text-wait">
          <Hand size={13} aria-hidden />
          {WAITING[waiting.type]} · <Ago at={waiting.createdAt} />
        </span>
      )}
      <RunOfCard row={row} />
    </li>
  );
});

const WAITING: Readonly<Record<TaskRow['waiting'][number]['type'], string>> = {
  question: 'Question',
  options: 'Choice',
  plan_approval: 'Approve plan',
  tool_approval: 'Allow command',
  review: 'Review',
  budget: 'Raise budget',
  unknown: 'Unknown question',
};

function RunOfCard({ row }: { readonly row: TaskRow }) {
  const { run } = row;
  if (run === null) return <span className="text-[12px] text-faint">not started</span>;
  const status = RUN_STATUS[run.status];
  const step = rowStep(row);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-[12px] sm:gap-x-5 text-soft">
      <Checks row={row} />
      <span className="flex items-center gap-2 sm:w-40">
        <StepBar steps={shownSteps(run.steps, run)} />
        <span className="truncate sm:w-16">{run.status === 'running' ? step : ''}</span>
      </span>
      <span className="inline-flex items-center sm:w-24 gap-1.5">
        <StatusIcon status={status} size={13} />
        {status.label}
      </span>
      <span className="text-right sm:w-16">
        <Elapsed since={run.startedAt} until={run.finishedAt} />
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
