import type { LeftOutFile, UndoBounds } from './contract.ts';
import type { LeftOutKey } from './log.ts';
import type { Candidate } from './scan.ts';

export const DEFAULT_BOUNDS: UndoBounds = {
  fileBytes: 10 << 20,
  snapshotBytes: 512 << 20,
  snapshotMs: 30_000,
  snapshots: 1_000,
  storeBytes: 2 * 2 ** 30,
};

type Left = { readonly candidate: Candidate; readonly reason: LeftOutFile['reason'] };

/** Every candidate is in one of the two. A removed file counts as stored: its absence is. */
export type SortedCandidates = { readonly stored: ReadonlyArray<Candidate>; readonly left: ReadonlyArray<Left> };

/** What fits the bounds. If the total is too much, the smallest files come first: most of the work is in them. */
export function toStore(candidates: ReadonlyArray<Candidate>, bounds: UndoBounds): SortedCandidates {
  const stored: Candidate[] = [];
  const left: Left[] = [];
  let total = 0;
  for (const candidate of inOrder(candidates, bounds)) {
    const reason = refusal(candidate, bounds, total);
    if (reason === null) {
      stored.push(candidate);
      total += candidate.bytes;
    } else left.push({ candidate, reason });
  }
  return { stored, left };
}

export function toLeave({ left }: SortedCandidates): LeftOutKey[] {
  return left.map(({ candidate: { path, bytes }, reason }) => ({ path, reason, bytes }));
}

function inOrder(candidates: ReadonlyArray<Candidate>, bounds: UndoBounds): ReadonlyArray<Candidate> {
  const all = candidates.reduce((sum, { bytes }) => sum + bytes, 0);
  return all <= bounds.snapshotBytes ? candidates : candidates.toSorted((a, b) => a.bytes - b.bytes);
}

function refusal(candidate: Candidate, bounds: UndoBounds, total: number): LeftOutFile['reason'] | null {
  if (candidate.standing === 'other') return 'special_file';
  if (candidate.standing === 'closed') return 'unreadable';
  if (candidate.bytes > bounds.fileBytes) return 'file_size';
  return total + candidate.bytes > bounds.snapshotBytes ? 'total_size' : null;
}
