import type { Turn } from '../types/index.ts';

/**
 * Folds turns that only grow at the end, so that each is visited once however often the result is needed. Turns that changed in another way
 * are folded again from the start. The state belongs to the fold: callers only read it.
 */
export function foldTurns<S, C>(fold: {
  readonly start: () => S;
  readonly step: (state: S, turn: Turn, at: { readonly index: number; readonly context: C }) => void;
}): (turns: ReadonlyArray<Turn>, context: C) => S {
  const known = new WeakMap<Turn, { readonly state: S; upto: number; last: Turn }>();
  return (turns, context) => {
    const [first] = turns;
    if (first === undefined) return fold.start();
    const before = known.get(first);
    const isGrown = before !== undefined && turns[before.upto - 1] === before.last;
    const now = isGrown ? before : { state: fold.start(), upto: 0, last: first };
    for (const turn of turns.slice(now.upto)) {
      fold.step(now.state, turn, { index: now.upto, context });
      now.upto++;
      now.last = turn;
    }
    known.set(first, now);
    return now.state;
  };
}
