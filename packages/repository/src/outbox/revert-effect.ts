import { type Artifact, type EffectWork, findArtifact, type Tx, updateArtifact } from '@attractor/store';
import { commitOf, isAncestor } from '../git/commits.ts';
import { fail, type ScmResult } from '../git/outside-result.ts';
import { fetchBranch } from '../git/remote.ts';
import { type Landed, land } from '../landing/land.ts';
import { findUndone, undoneCommit } from '../landing/undone-commit.ts';
import { type EffectContext, failed, nothingToDo, type Performed, tell } from './performed.ts';

type Work = Extract<EffectWork, { readonly kind: 'revert_merge' }>;

/** Takes back a merge by a commit on top of the base, proven and put there like a merge. */
export async function performRevert(context: EffectContext, { artifactId }: Work): Promise<Performed> {
  const artifact = await findArtifact(context.services.store.read, artifactId);
  const merged = artifact === null ? null : mergeOf(artifact);
  if (artifact === null || merged === null)
    return failed(
      fail('not_found', 'It is not known which commit the merge put on the base: revert it by hand with "git revert".'),
    );
  if (typeof artifact.metadata['revertCommit'] === 'string') return nothingToDo();
  const before = await tipBefore(context, merged);
  if (!before.ok) return failed(before);
  const { services, git: place } = context;
  const undoing = {
    ...place,
    author: services.author,
    from: before.value,
    to: merged.merged,
    mark: `Attractor-Revert: ${artifact.id}`,
    message: `Revert "${context.task.title}"\n\nThis reverts commit ${merged.merged}.`,
  };
  const landed = await land({
    ...undoing,
    baseBranch: merged.baseBranch,
    base: 'theirs',
    make: async (tip) =>
      (await isAncestor(place.repository, merged.merged, tip))
        ? undoneCommit(undoing, tip)
        : fail('not_found', `${merged.baseBranch} does not have ${merged.merged.slice(0, 12)} any more.`),
    find: (tip) => findUndone(undoing, tip),
    prove: (made) => context.prove({ ...context, ...made, headCommit: made.commit }),
  });
  if (!landed.ok) return failed(landed);
  const { commit, notice } = landed.value;
  return {
    outcome: 'done',
    result: { commit, notice },
    record: (tx) => record(tx, context, { artifact, ...landed.value }),
  };
}

type MergeOnBase = {
  readonly merged: string;
  readonly baseBranch: string;
  /** Recorded for merges whose commits have no parent that tells. */
  readonly baseCommit: string | null;
  readonly isOneCommit: boolean;
};

function mergeOf({ metadata }: Artifact): MergeOnBase | null {
  const { state, mergeCommit, baseBranch, baseCommit, mergeMethod } = metadata;
  if (state !== 'merged' || typeof mergeCommit !== 'string' || typeof baseBranch !== 'string') return null;
  return {
    merged: mergeCommit,
    baseBranch,
    baseCommit: typeof baseCommit === 'string' ? baseCommit : null,
    isOneCommit: mergeMethod !== 'ff',
  };
}

async function tipBefore({ git: place }: EffectContext, of: MergeOnBase): Promise<ScmResult<string>> {
  const { repository, remote, talk } = place;
  if ((await commitOf(repository, of.merged)) === null && remote !== null)
    await fetchBranch({ repository, remote, talk, branch: of.baseBranch });
  const before = of.baseCommit ?? (of.isOneCommit ? await commitOf(repository, `${of.merged}^1`) : null);
  return before === null
    ? fail(
        'not_found',
        `What ${of.baseBranch} was before the merge is not known here: revert it by hand with "git revert".`,
      )
    : { ok: true, value: before };
}

async function record(
  tx: Tx,
  context: EffectContext,
  reverted: Landed & { readonly artifact: Artifact },
): Promise<void> {
  const { commit, notice } = reverted;
  const known = await findArtifact(tx, reverted.artifact.id);
  if (known === null) return;
  const artifact = { ...known, metadata: { ...known.metadata, revertCommit: commit } };
  await updateArtifact(tx, artifact);
  const base = String(known.metadata['baseBranch']);
  await tell(tx, context, {
    type: 'pr.reverted',
    summary: `Reverted ${known.label} on ${base} by ${commit.slice(0, 12)}${notice === null ? '' : `. ${notice}`}`,
    data: { artifact, commit, notice },
  });
}
