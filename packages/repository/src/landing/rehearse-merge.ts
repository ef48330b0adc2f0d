import type { ScmResult } from '../git/outside-result.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { type Landed, type Landing, rehearse } from './land.ts';
import { findMerged, type Merge, mergedCommit } from './merged-commit.ts';

export type MergeRehearsal = Omit<Merge, 'mark' | 'message'> & Pick<Landing, 'remote' | 'talk' | 'base'>;

/** What a merge would give now, or why it can't be made. Nothing moves, and nothing is written but loose objects. */
export function rehearseMerge(merge: MergeRehearsal): Promise<ScmResult<Landed>> {
  const change = { ...merge, message: 'A merge that is tried', mark: 'Attractor-Rehearsal: 1' };
  const landing = {
    ...change,
    make: (tip: string) => mergedCommit(change, tip),
    find: (tip: string) => findMerged(change, tip),
    prove: async () => ({ ok: true, value: null }) as const,
  };
  return withRepoLock(merge.repository.gitFolder, () => rehearse(landing));
}
