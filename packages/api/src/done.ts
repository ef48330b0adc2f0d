import { done } from '@attractor/base';
import type { Result } from '@attractor/platform';

/** What a command answers that leaves nothing to show. */
export type Done = { readonly done: true };

export function asDone(result: Result<unknown>): Result<Done> {
  return result.ok ? done({ done: true }) : result;
}
