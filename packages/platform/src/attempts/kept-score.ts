import { type AttemptRow, parseJson } from '@attractor/store';
import type { AttemptScore } from './attempt.ts';

/** What an attempt left when it was done; with it its run can be closed without being walked again. */
export type KeptScore = AttemptScore & {
  readonly outcome: string | null;
  readonly error: string | null;
  readonly status: 'completed' | 'failed' | 'timeout';
};

export function readScore(row: AttemptRow): KeptScore | null {
  return parseJson<KeptScore | null>(row.score, null);
}
