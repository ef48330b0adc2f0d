import type { TaskRow } from '../views/task-list.ts';
import { expect, it } from 'vitest';
import { droppedAt, type OrderedRows, placedAfter, placeIn } from './in-column.ts';

const row = (id: string) => ({ task: { id, projectId: id.slice(0, 1) } }) as unknown as TaskRow;
const column = (ids: string, waiting = 0, isPlaced = true): OrderedRows => ({
  rows: ids.split(' ').map(row),
  waiting,
  isPlaced,
});

it('knows where a card can be placed: beside those that wait like it, and nowhere among what has ended', () => {
  expect(placeIn(column('a1 a2 a3 a4', 1), 'a3')).toEqual({ at: 2, from: 1, to: 3 });
  expect(placeIn(column('a1 a2 a3 a4', 2), 'a1')).toEqual({ at: 0, from: 0, to: 1 });
  expect(placeIn(column('a1 a2', 0, false), 'a1')).toBeNull();
  expect(placeIn(column('a1 a2'), 'a9')).toBeNull();
});

it('puts a card after the one that is to stand above it, whichever way it goes', () => {
  const four = column('a1 a2 a3 a4');
  expect([0, 1, 2, 3].map((to) => placedAfter(four, 'a2', to))).toEqual([null, 'a1', 'a3', 'a4']);
  expect(placedAfter(four, 'a2', 99)).toBe('a4');
  // Below what waits the first place is the top of the others.
  expect([0, 1, 2].map((to) => placedAfter(column('a1 a2 a3', 1), 'a3', to))).toEqual([null, null, 'a2']);
  // Of another project it is never put after.
  expect([0, 1, 2, 3].map((to) => placedAfter(column('b1 a1 b2 a2'), 'a2', to))).toEqual([null, null, 'a1', 'a1']);
});

it('finds the place of a card that is let go between others', () => {
  const place = { at: 1, from: 0, to: 3 };
  const drawn = [0, 1, 2, 3].map((at) => [at, at * 100 + 50] as const);
  expect([-10, 60, 140, 260, 360, 900].map((middle) => droppedAt(place, middle, drawn))).toEqual([0, 1, 1, 2, 3, 3]);
  // A long column draws only some of its cards.
  expect(
    droppedAt({ at: 40, from: 2, to: 90 }, 10, [
      [20, 50],
      [21, 150],
    ]),
  ).toBe(20);
  expect(droppedAt({ at: 0, from: 0, to: 0 }, 10, [[0, 50]])).toBe(0);
});
