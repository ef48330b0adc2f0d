import { type Artifact, type EffectWork, findArtifact, type Tx, updateArtifact } from '@attractor/store';
import { isAncestor } from '../git/commits.ts';
import { fail } from '../git/outside-result.ts';
import { type Landed, land } from '../landing/land.ts';
import { findUndone, isUndone, undoneCommit } from '../landing/undone-commit.ts';
import { mergeOf, tipBefore } from './merge-on-base.ts';
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
    // Whoever took it back part by part has taken it back.
    find: async (tip) => (await findUndone(undoing, tip)) ?? ((await isUndone(undoing, tip)) ? tip : null),
    prove: (made) => context.prove({ ...context, ...made, headCommit: made.commit }),
  });
  if (!landed.ok) return failed(landed);
  const { commit, notice } = landed.value;
  return {
    outcome: 'done',
    result: { commit, notice },
    record: (tx) => recordRevert(tx, context, { artifact, ...landed.value }),
  };
}

/** From here on the merge counts as taken back. */
export async function recordRevert(
  tx: Tx,
  context: EffectContext,
  { artifact: { id }, commit, notice }: Pick<Landed, 'commit' | 'notice'> & { readonly artifact: Artifact },
): Promise<void> {
  const known = await findArtifact(tx, id);
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
