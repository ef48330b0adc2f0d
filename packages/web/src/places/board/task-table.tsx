import { keyOf, type PipelineDefinition, spentOnRow, type TaskListView, type TaskRow } from '@attractor/api';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { useMay } from '../../data/role.tsx';
import { type ShownState, useStates } from '../../data/use-states.ts';
import { showCost } from '../../ui/amounts.ts';
import { Empty } from '../../ui/notice.tsx';
import { showControls, typeset } from '../../ui/plain-text.ts';
import { StatusIcon, stateStatus } from '../../ui/status.tsx';
import { Ago } from '../../ui/time.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { StatusTrack } from './status-track.tsx';
import { Checks, guessedStatus } from './task-card.tsx';

type TaskTableProps = {
  readonly rows: ReadonlyArray<TaskRow>;
  readonly list: TaskListView;
  /** With it each task shows its way through the statuses. */
  readonly pipeline: PipelineDefinition | null;
};

const BLOCK = 60;
/** A title needs the whole line: the way through the pipeline is on a second one. */
const ROW_PX = { list: 48, rows: 76 } as const;

/** One line a task, thousands of them. */
export function TaskTable({ rows, list, pipeline }: TaskTableProps) {
  const top = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  const [selected, select] = useState<ReadonlySet<string>>(new Set());
  useLayoutEffect(() => setOffset(top.current?.offsetTop ?? 0), []);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => (pipeline === null ? ROW_PX.list : ROW_PX.rows),
    overscan: 8,
    scrollMargin: offset,
    getItemKey: useCallback((index: number) => rows[index]?.task.id ?? index, [rows]),
  });
  const items = virtual.getVirtualItems();
  const from = Math.floor((items[0]?.index ?? 0) / BLOCK) * BLOCK;
  const to = Math.ceil(((items.at(-1)?.index ?? 0) + 1) / BLOCK) * BLOCK;
  const states = useStates(useMemo(() => rows.slice(from, to).map(({ task }) => task.id), [rows, from, to]));
  const turn = (id: string) =>
    select(new Set(selected.has(id) ? [...selected].filter((one) => one !== id) : [...selected, id]));
  const may = useMay('operator');
  const chosen = useMemo(() => rows.flatMap(({ task }) => (selected.has(task.id) ? [task] : [])), [rows, selected]);
  if (rows.length === 0) return <Empty title="No task fits">Change the filter above.</Empty>;
  return (
    <>
      <BulkBar selected={chosen} onDone={() => select(new Set())} />
      <div ref={top} className="rounded-lg border border-line bg-panel">
        <ul aria-label="Tasks" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <li
                key={key}
                className={`absolute inset-x-0 top-0 flex items-center gap-3 border-b border-line px-3 text-sm hover:bg-well ${pipeline === null ? 'h-12' : 'h-[76px]'}`}
                style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
              >
                {may ? (
                  <label className="relative z-[1] -m-3.5 flex p-3.5">
                    <input
                      type="checkbox"
                      aria-label={`Select ${keyOf(row.task)}`}
                      className="size-4"
                      checked={selected.has(row.task.id)}
                      onChange={() => turn(row.task.id)}
                    />
                  </label>
                ) : null}
                <Line
                  row={row}
                  state={states[row.task.id]}
                  pipeline={pipeline}
                  project={list.projects[row.task.projectId]?.name ?? ''}
                />
              </li>
            );
          })}
        </ul>
      </div>
    </>
  );
}

type LineProps = {
  readonly row: TaskRow;
  readonly state: ShownState | undefined;
  readonly pipeline: PipelineDefinition | null;
  readonly project: string;
};

function Line({ row, state, pipeline, project }: LineProps) {
  const { task, run } = row;
  const status = state === undefined ? guessedStatus(row) : stateStatus(state);
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-0.5 sm:gap-1.5">
      <div className="flex items-center gap-3">
        <span className="w-14 shrink-0 truncate text-faint sm:w-20">{keyOf(task)}</span>
        <Link
          href={`/tasks/${keyOf(task)}`}
          title={showControls(task.title)}
          className="min-w-0 flex-1 font-medium break-words max-sm:line-clamp-2 sm:truncate after:absolute after:inset-0 after:content-['']"
        >
          {showControls(task.title)}
        </Link>
        {pipeline === null ? (
          <span className="hidden w-28 shrink-0 truncate text-faint xl:block">{showControls(project)}</span>
        ) : null}
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
        <span className="hidden w-16 shrink-0 text-right text-faint tabular-nums sm:block">
          {run === null ? '' : showCost(spentOnRow(row).costUsd)}
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
