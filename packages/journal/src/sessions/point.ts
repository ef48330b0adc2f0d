import type { JournalRecord } from '../journal/journal.ts';
import type { SessionsResult } from './contract.ts';
import { failure } from './place.ts';
import { turnsOf, type TurnEntry } from './turns.ts';

/** A place in a conversation: everything after `seq` is left out. `turns` is the total. */
export type Point = { readonly turn: number; readonly seq: number; readonly turns: number };

/** Where the given turn ends; for null where the last complete one does. */
export function pointAt(records: Iterable<JournalRecord>, turn: number | null): SessionsResult<Point> {
  let before = Number.POSITIVE_INFINITY;
  let last: TurnEntry | null = null;
  let complete: TurnEntry | null = null;
  let found: TurnEntry | null = null;
  for (const entry of turnsOf(records)) {
    if (entry.turn === 1) before = entry.seq - 1;
    if (entry.complete) complete = entry;
    if (entry.turn === turn) found = entry;
    last = entry;
  }
  const turns = last?.turn ?? 0;
  if (turn === 0) return { ok: true, value: { turn: 0, seq: before, turns } };
  if (turn === null) {
    if (last === null || last === complete)
      return { ok: true, value: { turn: turns, seq: Number.POSITIVE_INFINITY, turns } };
    if (complete === null) return { ok: true, value: { turn: 0, seq: before, turns } };
    return { ok: true, value: { turn: complete.turn, seq: complete.endSeq, turns } };
  }
  if (found === null || !Number.isInteger(turn))
    return failure('invalid', `There is no turn ${turn}: the session has turns 0 (before all) to ${turns}.`);
  if (!found.complete)
    return failure(
      'invalid',
      `Turn ${turn} waits for results of its calls: choose turn ${complete?.turn ?? 0} or an earlier one.`,
    );
  return { ok: true, value: { turn: found.calls.length === 0 ? turn : turn + 1, seq: found.endSeq, turns } };
}
