import { done } from '@attractor/base';
import type { Result } from '@attractor/platform';

/** The answer of a command without a result. */
export type Done = { readonly done: true };

export function asDone(result: Result<unknown>): Result<Done> {
  return result.ok ? done({ done: true }) : result;
}
