import type { Failure } from './failure.ts';

/** An expected failure is returned as a value, in place of the requested value. */
export type Result<Value, Problem = Failure> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Problem };

export function done<Value>(value: Value): { readonly ok: true; readonly value: Value } {
  return { ok: true, value };
}

export function failed<Problem>(error: Problem): { readonly ok: false; readonly error: Problem } {
  return { ok: false, error };
}
