import { keyOf, type Task, type TransitionOption } from '@attractor/api';
import { useQueryClient } from '@tanstack/react-query';
import { ArrowRightLeft } from 'lucide-react';
import { useState } from 'react';
import { valueOf } from '../../data/answers.ts';
import { api } from '../../data/api.ts';
import { useMay } from '../../data/role.tsx';
import { Menu, type MenuItem } from '../../ui/menu.tsx';
import { type Column, placeIn, typeset } from '@attractor/api/shown';
import { useMove } from './use-move.ts';
import { placeTask } from './use-place.ts';

type MoveMenuProps = { readonly task: Task; readonly columns: ReadonlyArray<Column> };

/** The way without dragging: every column, those that are closed with the reason. */
export function MoveMenu({ task, columns }: MoveMenuProps) {
  const cache = useQueryClient();
  const [options, setOptions] = useState<ReadonlyArray<TransitionOption> | null>(null);
  const move = useMove(columns.map(({ status }) => status));
  const read = () =>
    void cache
      .fetchQuery({
        queryKey: ['transitions', task.id, task.version],
        queryFn: async () => valueOf(await api.tasks.transitions(task.id)),
      })
      .then(setOptions, () => undefined);
  const items = columns
    .filter(({ status }) => status.id !== task.status)
    .map(({ status }): MenuItem => ({
      id: status.id,
      label: status.label,
      onChoose: () => void move(task, status),
      ...blockedBy(options, status.id),
    }));
  if (!useMay('operator')) return null;
  return (
    <span className="relative z-[1]" onPointerEnter={read} onFocus={read}>
      <Menu
        id={`act-${task.id}`}
        isIcon
        label={`Move ${keyOf(task)}`}
        kind="quiet"
        isSmall
        className="-mr-1"
        items={[...items.filter(isOpen), ...placeItems(task, columns), ...closedItems(items)]}
      >
        <ArrowRightLeft size={13} aria-hidden />
      </Menu>
    </span>
  );
}

/** What can be done stands before what can not. */
const isOpen = ({ blocked }: MenuItem) => blocked === undefined;

/** Those that are closed for the same reason are one: it is said once. */
function closedItems(items: ReadonlyArray<MenuItem>): ReadonlyArray<MenuItem> {
  const closed = items.filter((item) => !isOpen(item));
  return [...Map.groupBy(closed, ({ blocked = '' }) => blocked)].map(([blocked, own]) => ({
    id: own.map(({ id }) => id).join(' '),
    label: own.map(({ label }) => label).join(', '),
    blocked,
    onChoose: () => undefined,
  }));
}

/** Higher and lower in its own column. */
function placeItems(task: Task, columns: ReadonlyArray<Column>): ReadonlyArray<MenuItem> {
  const column = columns.find(({ status }) => status.id === task.status);
  const place = column === undefined ? null : placeIn(column, task.id);
  if (column === undefined || place === null) return [];
  const { at, from, to } = place;
  const item = (id: string, label: string, goal: number): MenuItem => ({
    id,
    label,
    onChoose: () => void placeTask(column, task, goal),
  });
  return [
    ...(at > from ? [item('top', 'To the top of its column', from), item('up', 'Up by one', at - 1)] : []),
    ...(at < to ? [item('down', 'Down by one', at + 1), item('end', 'To the end of its column', to)] : []),
  ];
}

function blockedBy(options: ReadonlyArray<TransitionOption> | null, to: string): { readonly blocked?: string } {
  if (options === null) return {};
  const fitting = options.filter(({ transition }) => transition.to === to);
  if (fitting.some(({ allowed }) => allowed)) return {};
  const reasons = fitting.flatMap(({ blockedBy: guards }) => guards.map(({ reason }) => reason));
  return { blocked: typeset(reasons[0] ?? 'No transition leads there from here.') };
}
