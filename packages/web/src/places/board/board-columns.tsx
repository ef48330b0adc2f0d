import type { PipelineDefinition, PipelineStatus, TaskRow } from '@attractor/api';
import {
  DndContext,
  type DragMoveEvent,
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
import { type Column, columnsOf, droppedAt, placeIn, waitsForPerson } from '@attractor/api/shown';
import { drawnIn } from './drawn-cards.ts';
import { TaskCard } from './task-card.tsx';
import { useBoardKeys } from './use-board-keys.ts';
import { useMove } from './use-move.ts';
import { placeTask, usePlaceKeys } from './use-place.ts';

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
  usePlaceKeys(columns, chosen);
  const [goal, setGoal] = useState<Goal | null>(null);
  const drop = (own: TaskRow, event: DragMoveEvent) => {
    const column = columns.find(({ status }) => status.id === event.over?.id);
    if (column === undefined) return;
    if (column.status.id !== own.task.status) return void move(own.task, column.status);
    const place = goalOf(event, columns);
    if (place !== null) void placeTask(column, own.task, place.to);
  };
  return (
    <DndContext
      sensors={sensors}
      accessibility={QUIET}
      // A card is wider than a column without any: where the pointer is counts.
      collisionDetection={pointerWithin}
      onDragStart={({ active }) => setDragged(rows.find(({ task }) => task.id === active.id) ?? null)}
      onDragMove={(event) => {
        const next = goalOf(event, columns);
        setGoal((known) => (isSame(known, next) ? known : next));
      }}
      onDragCancel={() => {
        setDragged(null);
        setGoal(null);
      }}
      onDragEnd={(event) => {
        setDragged(null);
        setGoal(null);
        if (dragged !== null) drop(dragged, event);
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
            goal={goal?.column === column.status.id ? goal : null}
          />
        ))}
      </div>
      <DragOverlay dropAnimation={null}>
        {dragged === null ? null : <TaskCard row={dragged} state={undefined} columns={[]} isChosen={false} isDragged />}
      </DragOverlay>
    </DndContext>
  );
}

const nothing = () => undefined;

/** A message says where a card went or why it stays; the library would read ids out while it is carried, over everything else. */
const QUIET = {
  announcements: { onDragStart: nothing, onDragOver: nothing, onDragEnd: nothing, onDragCancel: nothing },
};

/** Where in its own column a card would be put. */
type Goal = { readonly column: string; readonly at: number; readonly to: number };

function isSame(known: Goal | null, next: Goal | null): boolean {
  return known?.column === next?.column && known?.to === next?.to;
}

function goalOf({ active, over }: DragMoveEvent, columns: ReadonlyArray<Column>): Goal | null {
  const column = columns.find(({ status }) => status.id === over?.id);
  const place = column === undefined ? null : placeIn(column, String(active.id));
  const carried = active.rect.current.translated;
  if (column === undefined || place === null || carried === null) return null;
  const { id } = column.status;
  return { column: id, at: place.at, to: droppedAt(place, carried.top + carried.height / 2, drawnIn(id)) };
}

type BoardColumnProps = {
  readonly column: Column;
  readonly columns: ReadonlyArray<Column>;
  readonly chosen: string | null;
  /** Tasks begin here. */
  readonly isFirst: boolean;
  readonly goal: Goal | null;
};

/** How many states are asked for at once. */
const BLOCK = 40;
const CARD_PX = 104;

function BoardColumn({ column: { status, rows }, columns, chosen, isFirst, goal }: BoardColumnProps) {
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
      data-column={status.id}
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
                <GoalLine goal={goal} index={index} />
                <TaskCard row={row} state={states[row.task.id]} columns={columns} isChosen={row.task.id === chosen} />
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

/** Between which cards the carried one would be put. */
function GoalLine({ goal, index }: { readonly goal: Goal | null; readonly index: number }) {
  if (goal === null || goal.to !== index || goal.to === goal.at) return null;
  const edge = goal.to < goal.at ? 'top-0' : 'bottom-[3px]';
  return <div aria-hidden className={`absolute inset-x-0 z-[1] h-0.5 rounded-full bg-ink ${edge}`} />;
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
