import { parseJson } from '../store/json.ts';
import type { AttemptRow } from '../store/spend-rows.ts';
import type { AttemptScore } from '../workflow-spend.ts';

/** What an attempt left when it was done; with it its run can be closed without being walked again. */
export type KeptScore = AttemptScore & {
  readonly outcome: string | null;
  readonly error: string | null;
  readonly status: 'completed' | 'failed' | 'timeout';
};

export function readScore(row: AttemptRow): KeptScore | null {
  return parseJson<KeptScore | null>(row.score, null);
}
