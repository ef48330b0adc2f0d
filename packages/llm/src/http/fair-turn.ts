/**
 * Lets many conversations of one process take turns. What an answer triggers (reading it, acting on it, asking again) runs to its end in
 * one go; two hundred answers that arrive together would block every timer and every other socket until the last is done.
 *
 * Resolves at once while this turn of the event loop has had little work, otherwise in a later turn, first come, first served.
 */
export function fairTurn(): Promise<void> | undefined {
  turn ??= begin();
  turn.passed += 1;
  const isBusy = turn.passed > MAX_PASSED || performance.now() - turn.began >= BUDGET_MS;
  return isBusy || waiting.length > 0 ? new Promise((resolve) => void waiting.push(resolve)) : undefined;
}

/** A single conversation never waits. */
const MAX_PASSED = 4;
const BUDGET_MS = 5;

/** This turn of the event loop, once it has had work. */
let turn: { readonly began: number; passed: number } | undefined;
const waiting: (() => void)[] = [];

function begin(): { readonly began: number; passed: number } {
  setImmediate(next);
  return { began: performance.now(), passed: 0 };
}

function next(): void {
  turn = undefined;
  const first = waiting.shift();
  if (first === undefined) return;
  turn = begin();
  first();
}
