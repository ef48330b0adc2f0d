import { type AttemptRow, parseJson } from '@attractor/store';
import type { AttemptScore } from './attempt.ts';

/** What a finished attempt left; with it the run can be closed without repeating its steps. */
export type KeptScore = AttemptScore & {
  readonly outcome: string | null;
  readonly error: string | null;
  readonly status: 'completed' | 'failed' | 'timeout';
};

export function readScore(row: AttemptRow): KeptScore | null {
  return parseJson<KeptScore | null>(row.score, null);
}
