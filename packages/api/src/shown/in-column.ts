import type { TaskRow } from '../views/task-list.ts';

/** The cards of a column: first those that wait for a person, then the others; each of the two as people placed them. */
export type OrderedRows = {
  readonly rows: ReadonlyArray<TaskRow>;
  /** How many of them wait. */
  readonly waiting: number;
  /** What has ended stands as it ended: nobody places it. */
  readonly isPlaced: boolean;
};

/** Where a card stands, and the first and the last place that it can have. */
export type ColumnPlace = { readonly at: number; readonly from: number; readonly to: number };

export function placeIn({ rows, waiting, isPlaced }: OrderedRows, taskId: string): ColumnPlace | null {
  const at = rows.findIndex(({ task }) => task.id === taskId);
  if (at < 0 || !isPlaced) return null;
  return at < waiting ? { at, from: 0, to: waiting - 1 } : { at, from: waiting, to: rows.length - 1 };
}

/**
 * The task after which the server has to put this one, so that it comes to `to`; null: the top. The order is one of a project: where cards
 * of several stand together, it is the nearest of its own above that place.
 */
export function placedAfter(column: OrderedRows, taskId: string, to: number): string | null {
  const place = placeIn(column, taskId);
  const own = column.rows.find(({ task }) => task.id === taskId);
  if (place === null || own === undefined) return null;
  const others = column.rows.filter((row) => row !== own);
  const above = others.slice(place.from, Math.min(Math.max(to, place.from), place.to));
  return above.findLast(({ task }) => task.projectId === own.task.projectId)?.task.id ?? null;
}

/** A drawn card: its place, and the height of its middle in the window. */
export type Drawn = readonly [place: number, middle: number];

/** The place of a card that is let go with its middle at this height. */
export function droppedAt({ at, from, to }: ColumnPlace, middle: number, drawn: ReadonlyArray<Drawn>): number {
  const others = drawn.filter(([place]) => place !== at);
  const above = others.filter(([, own]) => own < middle).map(([place]) => place);
  const last = Math.max(...above, Math.min(...others.map(([place]) => place)) - 1);
  // It leaves its own place: what stands below that moves up by one.
  const wanted = last < at ? last + 1 : last;
  return Math.min(Math.max(wanted, from), to);
}
