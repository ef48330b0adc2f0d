import { currentStep, keyOf, shownSteps, spentOnRow, type TaskRow, type TaskState } from '@attractor/api';
import { useDraggable } from '@dnd-kit/core';
import { memo } from 'react';
import { Link } from 'wouter';
import { StepBar } from '../../run/step-bar.tsx';
import { type Column, showControls, showCost, typeset, STEP_LABELS } from '@attractor/api/shown';
import { CHECK_STATUS, runStatus, type Status, StatusIcon, stateStatus } from '../../ui/status.tsx';
import { Ago, Elapsed } from '../../ui/time.tsx';
import { TONE_WELL } from '../../ui/tone.ts';
import { MoveMenu } from './move-menu.tsx';
import { PriorityMark } from './priority.tsx';

type TaskCardProps = {
  readonly row: TaskRow;
  readonly state: TaskState | undefined;
  readonly columns: ReadonlyArray<Column>;
  readonly isChosen: boolean;
  readonly isDragged?: boolean;
};

/** One task: what it is, how it stands, whether it needs a person. */
export const TaskCard = memo(function TaskCard({ row, state, columns, isChosen, isDragged = false }: TaskCardProps) {
  const { task, run } = row;
  const { setNodeRef, listeners, isDragging } = useDraggable({ id: task.id, disabled: isDragged });
  const isWorking = state?.kind === 'working';
  const step = run === null ? null : currentStep(run.steps);
  return (
    <article
      ref={setNodeRef}
      {...listeners}
      aria-label={keyOf(task)}
      className={`relative flex flex-col gap-1 rounded-md border bg-raised px-3 py-2 text-sm hover:border-edge ${isChosen ? 'border-ink' : 'border-line'} ${isDragged ? 'shadow-menu' : ''} ${isDragging ? 'opacity-40' : ''}`}
    >
      <div className="flex h-6 items-center gap-2 text-faint">
        <span className="shrink-0">{keyOf(task)}</span>
        {run === null ? null : <Agent name={run.agentType} />}
        <Since row={row} state={state} />
        {columns.length === 0 ? null : <MoveMenu task={task} columns={columns} />}
      </div>
      <Link
        href={`/tasks/${keyOf(task)}`}
        draggable={false}
        title={showControls(task.title)}
        dir="auto"
        className="line-clamp-2 text-left font-medium break-words after:absolute after:inset-0 after:content-['']"
      >
        <PriorityMark priority={task.priority} /> {showControls(task.title)}
      </Link>
      <Standing row={row} state={state} />
      {isWorking && run !== null ? (
        <div className="flex items-center gap-2 text-soft">
          <StepBar steps={shownSteps(run.steps, run)} />
          <span className="truncate">{step === null ? '' : STEP_LABELS[step]}</span>
          <span className="ml-auto">
            <Elapsed since={run.startedAt} until={null} />
          </span>
        </div>
      ) : null}
      <Facts row={row} />
    </article>
  );
});

/** One status a card: that of the task, never that of its last run beside it. */
function Standing({ row, state }: Pick<TaskCardProps, 'row' | 'state'>) {
  if (state !== undefined && isAtRest(state)) return null;
  const known = state === undefined ? null : stateStatus(state);
  const status: Status | null = known ?? guessedStatus(row);
  if (status === null) return null;
  return (
    <div className={`flex max-w-full items-center gap-1.5 self-start rounded-full px-2 ${TONE_WELL[status.tone]}`}>
      <StatusIcon status={status} size={13} />
      <span className="truncate">{typeset(status.label)}</span>
    </div>
  );
}

/** Its column says all there is to say: it has not begun, or it is over. */
export function isAtRest({ kind, detail }: TaskState): boolean {
  return (kind === 'open' || kind === 'closed') && detail === null;
}

/** Until the state is there: a run that is under way says how the task stands, one that has ended does not. */
export function guessedStatus({ run }: TaskRow): Status | null {
  return run?.status === 'running' ? runStatus(run.status, run.steps) : null;
}

/** How long it waits for a person, else how old it is. */
function Since({ row, state }: Pick<TaskCardProps, 'row' | 'state'>) {
  const isAsked = state?.needsPerson === true;
  return (
    <span className={`ml-auto shrink-0 ${isAsked ? 'text-wait' : ''}`}>
      {isAsked ? 'asked ' : null}
      <Ago at={isAsked ? state.since : row.task.createdAt} />
    </span>
  );
}

function Facts({ row }: Pick<TaskCardProps, 'row'>) {
  const cost = spentOnRow(row).costUsd;
  return (
    <div className="flex flex-wrap items-center gap-x-3 text-faint empty:hidden">
      <Checks row={row} />
      {row.change === null ? null : (
        <span className="tabular-nums">
          <span className="text-good">+{row.change.additions}</span>{' '}
          <span className="text-bad">−{row.change.deletions}</span>
        </span>
      )}
      {row.run === null || cost === 0 ? null : <span className="tabular-nums">{showCost(cost)}</span>}
      <Labels tags={row.task.tags} />
    </div>
  );
}

function Agent({ name }: { readonly name: string }) {
  return (
    <span className="min-w-0 truncate" title={`Agent ${showControls(name)}`}>
      {showControls(name)}
    </span>
  );
}

/** The first two; how many more there are. */
export function Labels({ tags }: Pick<TaskRow['task'], 'tags'>) {
  if (tags.length === 0) return null;
  const more = tags.length - 2;
  return (
    <span title={showControls(tags.join(', '))} className="flex max-w-full min-w-0 gap-1">
      {tags.slice(0, 2).map((tag) => (
        <span key={tag} className="max-w-28 shrink-0 truncate rounded-full border border-edge px-1.5 leading-[18px]">
          {showControls(tag)}
        </span>
      ))}
      {more > 0 ? <span className="shrink-0">+{more}</span> : null}
    </span>
  );
}

/** A dot for each check on the branch; the base only shows what was broken before. */
export function Checks({ row }: { readonly row: TaskRow }) {
  const checks = row.run?.checks.filter((check) => check.phase === 'branch') ?? [];
  if (checks.length === 0) return null;
  return (
    <span className="flex items-center gap-1">
      {checks.map((check) => {
        const status = check.passed ? CHECK_STATUS.passed : CHECK_STATUS.failed;
        const text = `Check ${showControls(check.name)}: ${status.label.toLowerCase()}`;
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
