import { keyOf, type PipelineDefinition, spentOnRow, type TaskListView, type TaskRow } from '@attractor/api';
import { type CSSProperties, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { useProject } from '../../data/project.ts';
import { useMay } from '../../data/role.tsx';
import { useEveryStatus } from '../../data/use-pipelines.ts';
import type { ShownState } from '../../data/use-states.ts';
import { type Group, groupedLines, GROUPS, isHead, showControls, showCost, typeset } from '@attractor/api/shown';
import { Empty } from '../../ui/notice.tsx';
import { StatusIcon, stateStatus, taskStatus } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { useAddressValue } from '../../ui/use-address-value.ts';
import { BulkBar } from './bulk-bar.tsx';
import { PriorityMark } from './priority.tsx';
import { StatusTrack } from './status-track.tsx';
import { Checks, guessedStatus, isAtRest, Labels } from './task-card.tsx';
import { useShownLines } from './use-shown-lines.ts';

type TaskTableProps = {
  readonly rows: ReadonlyArray<TaskRow>;
  readonly list: TaskListView;
  /** With it each task shows its way through the statuses. */
  readonly pipeline: PipelineDefinition | null;
};

/** One line a task, thousands of them. */
export function TaskTable({ rows, list, pipeline }: TaskTableProps) {
  const { projectId } = useProject();
  const [group] = useAddressValue('group');
  const by = pipeline === null ? (GROUPS.find((name) => name === group) ?? null) : null;
  const statuses = useEveryStatus();
  const lines = useMemo(() => groupedLines(rows, by, statuses), [rows, by, statuses]);
  const { top, height, shown, states, chosen } = useShownLines(lines, pipeline === null ? 'list' : 'rows');
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  const turn = (id: string) =>
    select(new Set(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id]));
  const may = useMay('operator');
  const marked = useMemo(() => rows.flatMap(({ task }) => (selected.has(task.id) ? [task] : [])), [rows, selected]);
  if (rows.length === 0) return <Empty title="No task matches">Change the filter above.</Empty>;
  return (
    <>
      <BulkBar selected={marked} onDone={() => select(new Set())} />
      <div ref={top} className="rounded-lg border border-line bg-panel">
        <ul aria-label="Tasks" className="relative" style={{ height }}>
          {shown.map(({ key, line, style }) =>
            isHead(line) ? (
              <GroupHead key={key} group={line} style={style} />
            ) : (
              <li
                key={key}
                className={`absolute inset-x-0 top-0 flex items-center gap-3 border-b border-line px-3 text-sm hover:bg-well ${pipeline === null ? 'h-12' : 'h-20'} ${line.task.id === chosen ? 'outline-1 -outline-offset-1 outline-ink' : ''}`}
                style={style}
              >
                {may ? (
                  <label className="relative z-[1] -m-3.5 flex p-3.5">
                    <input
                      id={`act-${line.task.id}`}
                      type="checkbox"
                      aria-label={`Select ${keyOf(line.task)}`}
                      className="size-4"
                      checked={selected.has(line.task.id)}
                      onChange={() => turn(line.task.id)}
                    />
                  </label>
                ) : null}
                <TaskLine
                  row={line}
                  state={states[line.task.id]}
                  pipeline={pipeline}
                  project={projectId === null ? (list.projects[line.task.projectId]?.name ?? '') : ''}
                  isTold={pipeline !== null || by === 'status'}
                />
              </li>
            ),
          )}
        </ul>
      </div>
    </>
  );
}

function GroupHead({
  group: { head, count, status },
  style,
}: {
  readonly group: Group;
  readonly style: CSSProperties;
}) {
  return (
    <li
      style={style}
      className="absolute inset-x-0 top-0 flex h-9 items-center gap-2 border-b border-line bg-lane px-3 text-sm"
    >
      {status === undefined ? null : <StatusIcon status={taskStatus(status)} />}
      <span className="min-w-0 truncate font-semibold">{showControls(head)}</span>
      <span className="text-faint tabular-nums">{count}</span>
    </li>
  );
}

type TaskLineProps = {
  readonly row: TaskRow;
  readonly state: ShownState | undefined;
  readonly pipeline: PipelineDefinition | null;
  readonly project: string;
  /** Where its status stands beside it or over it, one at rest has nothing to add. */
  readonly isTold: boolean;
};

function TaskLine({ row, state, pipeline, project, isTold }: TaskLineProps) {
  const { task, run } = row;
  const cost = spentOnRow(row).costUsd;
  const known = state === undefined ? guessedStatus(row) : stateStatus(state);
  const status = isTold && state !== undefined && isAtRest(state) ? null : known;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5 sm:gap-1.5">
      <div className="flex items-center gap-3">
        <span className="w-14 shrink-0 truncate text-faint sm:w-20">{keyOf(task)}</span>
        <span className="flex min-w-0 flex-1 gap-2">
          <Link
            href={`/tasks/${keyOf(task)}`}
            title={showControls(task.title)}
            dir="auto"
            className="min-w-0 text-left font-medium break-words max-xl:line-clamp-2 xl:truncate after:absolute after:inset-0 after:content-['']"
          >
            <PriorityMark priority={task.priority} /> {showControls(task.title)}
          </Link>
          <span className="hidden shrink-0 text-faint min-[1400px]:flex">
            <Labels tags={task.tags} />
          </span>
        </span>
        {pipeline === null && project !== '' ? (
          <span className="hidden w-28 shrink-0 truncate text-faint xl:block">{showControls(project)}</span>
        ) : null}
        <span className="hidden w-24 shrink-0 truncate text-faint 2xl:block">{showControls(run?.agentType ?? '')}</span>
        <span className="hidden w-20 shrink-0 justify-end overflow-hidden xl:flex">
          <Checks row={row} />
        </span>
        <span className="flex w-4 shrink-0 items-center gap-1.5 sm:w-60">
          {status === null ? null : (
            <>
              <StatusIcon status={status} />
              <span className="hidden truncate sm:inline">{typeset(status.label)}</span>
            </>
          )}
        </span>
        <span className="hidden w-24 shrink-0 text-right whitespace-nowrap text-faint tabular-nums sm:block">
          {cost === 0 ? '' : showCost(cost)}
        </span>
        <span className="hidden w-20 shrink-0 text-right text-faint xl:block">
          <Ago at={task.createdAt} />
        </span>
      </div>
      {pipeline === null ? null : (
        <StatusTrack pipeline={pipeline} status={task.status} cameFrom={state?.cameFrom ?? null} />
      )}
    </div>
  );
}
