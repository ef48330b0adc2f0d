import type { PipelineDefinition, PipelineStatus, TaskRow } from '@attractor/api';
import {
  DndContext,
  DragOverlay,
  PointerSensor,
  pointerWithin,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { Plus } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'wouter';
import { For, useMay } from '../../data/role.tsx';
import { useInboxIds } from '../../data/use-inbox.ts';
import { useStates } from '../../data/use-states.ts';
import { buttonClass } from '../../ui/button.tsx';
import { StatusIcon, taskStatus } from '../../ui/status.tsx';
import { waitsForPerson } from './board-filter.ts';
import { type Column, columnsOf } from './columns.ts';
import { TaskCard } from './task-card.tsx';
import { useBoardKeys } from './use-board-keys.ts';
import { useMove } from './use-move.ts';

type BoardColumnsProps = { readonly rows: ReadonlyArray<TaskRow>; readonly pipeline: PipelineDefinition };

/** Columns from the pipeline; a card dropped on another asks for that transition, and stays where it was if that is refused. */
export function BoardColumns({ rows, pipeline }: BoardColumnsProps) {
  const inInbox = useInboxIds();
  const columns = useMemo(
    () => columnsOf(pipeline, rows, (row) => waitsForPerson(row, inInbox)),
    [pipeline, rows, inInbox],
  );
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: useMay('operator') ? 6 : Number.MAX_SAFE_INTEGER } }),
  );
  const [dragged, setDragged] = useState<TaskRow | null>(null);
  const move = useMove(columns.map(({ status }) => status));
  const chosen = useBoardKeys(columns);
  return (
    <DndContext
      sensors={sensors}
      // A card is wider than a column without any: where the pointer is counts.
      collisionDetection={pointerWithin}
      onDragStart={({ active }) => setDragged(rows.find(({ task }) => task.id === active.id) ?? null)}
      onDragCancel={() => setDragged(null)}
      onDragEnd={({ over }) => {
        setDragged(null);
        const to = columns.find(({ status }) => status.id === over?.id)?.status;
        if (dragged !== null && to !== undefined && to.id !== dragged.task.status) void move(dragged.task, to);
      }}
    >
      <div className="-mx-4 flex h-[calc(100dvh-216px)] min-h-96 gap-3 overflow-x-auto px-4 pb-2 md:-mx-6 md:-mb-4 md:h-[calc(100dvh-190px)] md:px-6">
        {columns.map((column) => (
          <BoardColumn
            key={column.status.id}
            column={column}
            columns={columns}
            chosen={chosen}
            isFirst={column.status.id === pipeline.initialStatus}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged === null ? null : <TaskCard row={dragged} state={undefined} columns={[]} isChosen={false} isDragged />}
      </DragOverlay>
    </DndContext>
  );
}

type BoardColumnProps = {
  readonly column: Column;
  readonly columns: ReadonlyArray<Column>;
  readonly chosen: string | null;
  /** Tasks begin here. */
  readonly isFirst: boolean;
};

/** How many states are asked for at once. */
const BLOCK = 40;
const CARD_PX = 104;

function BoardColumn({ column: { status, rows }, columns, chosen, isFirst }: BoardColumnProps) {
  const { setNodeRef, isOver } = useDroppable({ id: status.id });
  const scrolled = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scrolled.current,
    estimateSize: () => CARD_PX,
    overscan: 4,
    getItemKey: useCallback((index: number) => rows[index]?.task.id ?? index, [rows]),
  });
  const items = virtual.getVirtualItems();
  const from = Math.floor((items[0]?.index ?? 0) / BLOCK) * BLOCK;
  const to = Math.ceil(((items.at(-1)?.index ?? 0) + 1) / BLOCK) * BLOCK;
  const states = useStates(useMemo(() => rows.slice(from, to).map(({ task }) => task.id), [rows, from, to]));
  const at = rows.findIndex(({ task }) => task.id === chosen);
  const isFolded = rows.length === 0 && !isFirst;
  useEffect(() => {
    if (at < 0) return;
    virtual.scrollToIndex(at);
    scrolled.current?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [virtual, at]);
  return (
    <section
      ref={setNodeRef}
      aria-label={status.label}
      className={`flex ${isFolded ? 'w-10' : 'w-[298px]'} shrink-0 flex-col rounded-lg border ${isOver ? 'border-ink bg-well' : 'border-transparent bg-lane'}`}
    >
      <ColumnHead status={status} count={rows.length} isFirst={isFirst} isFolded={isFolded} />
      <div
        ref={scrolled}
        className="min-h-0 flex-1 overflow-y-auto px-2 pb-2 -outline-offset-2"
        tabIndex={rows.length === 0 ? undefined : 0}
      >
        <ul className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <li
                key={key}
                ref={virtual.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0 pb-2"
                style={{ transform: `translateY(${start}px)` }}
              >
                <TaskCard row={row} state={states[row.task.id]} columns={columns} isChosen={row.task.id === chosen} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

type ColumnHeadProps = {
  readonly status: PipelineStatus;
  readonly count: number;
  readonly isFirst: boolean;
  /** Nothing is in it: its name is read downwards, and the columns with tasks have the room. */
  readonly isFolded: boolean;
};

function ColumnHead({ status, count, isFirst, isFolded }: ColumnHeadProps) {
  const shape = isFolded ? 'w-full pt-3 [writing-mode:vertical-rl]' : 'h-9 px-3';
  return (
    <h2 className={`flex shrink-0 items-center gap-2 text-sm font-semibold ${shape}`}>
      <StatusIcon status={taskStatus(status)} />
      <span className="min-w-0 truncate" title={status.label}>
        {status.label}
      </span>
      <span className={`font-normal text-faint tabular-nums ${isFolded ? '[writing-mode:horizontal-tb]' : ''}`}>
        {count}
      </span>
      {isFirst ? (
        <For least="operator">
          <Link
            href="/new"
            aria-label="New task"
            title="New task"
            className={`${buttonClass('quiet', 'small')} -mr-1 ml-auto`}
          >
            <Plus size={15} aria-hidden />
          </Link>
        </For>
      ) : null}
    </h2>
  );
}
