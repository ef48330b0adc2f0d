import { keyOf, type Task } from '@attractor/api';
import { api } from '../../data/api.ts';
import { useMay } from '../../data/role.tsx';
import { useActs } from '../../keys/acts.ts';
import { type Column, placedAfter, placeIn, showControls, typeset } from '@attractor/api/shown';
import { toast } from '../../ui/toast.tsx';

/** Puts a task at another place of its column, for everybody who looks at the board; says where it is now, with the way back. */
export async function placeTask(column: Column, task: Task, to: number): Promise<void> {
  const place = placeIn(column, task.id);
  if (place === null || to === place.at || to < place.from || to > place.to) return;
  const put = async (at: number) => {
    const placed = await api.tasks.place(task.id, placedAfter(column, task.id, at));
    if (!placed.ok) toast(typeset(placed.error.message), { isBad: true });
    return placed.ok;
  };
  if (!(await put(to))) return;
  const where = `place ${to + 1} of ${column.rows.length} in ${column.status.label}`;
  toast(showControls(`${keyOf(task)} is now at ${where}`), { undo: () => void put(place.at) });
}

/** Shift with J or K takes the chosen card with it. */
export function usePlaceKeys(columns: ReadonlyArray<Column>, chosen: string | null): void {
  const may = useMay('operator');
  const column = columns.find(({ rows }) => rows.some(({ task }) => task.id === chosen));
  const place = column === undefined || chosen === null ? null : placeIn(column, chosen);
  const task = place === null ? undefined : column?.rows[place.at]?.task;
  const by = (step: number) => {
    if (column !== undefined && place !== null && task !== undefined) void placeTask(column, task, place.at + step);
  };
  const group = 'Board';
  useActs(
    may && task !== undefined
      ? [
          { id: 'place down', label: `Move ${keyOf(task)} down`, group, keys: 'shift+j', run: () => by(1) },
          { id: 'place up', label: `Move ${keyOf(task)} up`, group, keys: 'shift+k', run: () => by(-1) },
        ]
      : [],
  );
}
