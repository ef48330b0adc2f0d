import type { Artifact } from '@attractor/store';
import { commitOf } from '../git/commits.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { fetchBranch } from '../git/remote.ts';
import { isUndone } from '../landing/undone-commit.ts';
import type { EffectContext } from './performed.ts';

/** Where and as what a pull request was merged. */
type MergeOnBase = {
  readonly merged: string;
  readonly baseBranch: string;
  /** Recorded for merges whose commits have no parent that tells. */
  readonly baseCommit: string | null;
  readonly isOneCommit: boolean;
};

export function mergeOf({ metadata }: Artifact): MergeOnBase | null {
  const { state, mergeCommit, baseBranch, baseCommit, mergeMethod } = metadata;
  if (state !== 'merged' || typeof mergeCommit !== 'string' || typeof baseBranch !== 'string') return null;
  return {
    merged: mergeCommit,
    baseBranch,
    baseCommit: typeof baseCommit === 'string' ? baseCommit : null,
    isOneCommit: mergeMethod !== 'ff',
  };
}

/** The base as it was before the merge. */
export async function tipBefore({ git: place }: EffectContext, of: MergeOnBase): Promise<ScmResult<string>> {
  const { repository, remote, talk } = place;
  if ((await commitOf(repository, of.merged)) === null && remote !== null)
    await fetchBranch({ repository, remote, talk, branch: of.baseBranch });
  const before = of.baseCommit ?? (of.isOneCommit ? await commitOf(repository, `${of.merged}^1`) : null);
  return before === null
    ? fail(
        'not_found',
        `The state of ${of.baseBranch} before the merge is not known here: revert it by hand with "git revert".`,
      )
    : { ok: true, value: before };
}

/** Whether nothing is left, in this commit of the base, of what the merge brought. */
export async function isTakenBack(context: EffectContext, artifact: Artifact, tip: string): Promise<boolean> {
  const merged = mergeOf(artifact);
  const before = merged === null ? null : await tipBefore(context, merged);
  if (merged === null || before === null || !before.ok) return false;
  const { git: place, services } = context;
  const undoing = { ...place, author: services.author, from: before.value, to: merged.merged };
  return isUndone(undoing, tip);
}
