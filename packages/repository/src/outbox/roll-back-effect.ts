import { type EffectWork, listArtifacts, type Tx, updateArtifact } from '@attractor/store';
import { commitOf } from '../git/commits.ts';
import { land } from '../landing/land.ts';
import { findUndone, undoneCommit } from '../landing/undone-commit.ts';
import { isOpenRequest } from '../scm/task-place.ts';
import { isTakenBack } from './merge-on-base.ts';
import { type EffectContext, failed, type Performed, tell } from './performed.ts';
import { recordRevert } from './revert-effect.ts';

type Work = Extract<EffectWork, { readonly kind: 'roll_back' }>;

/** Undoes a change by a commit on top of a branch: the task's own, or the base that its work was merged into. */
export async function performRollBack(context: EffectContext, work: Work): Promise<Performed> {
  const { git, services, effect } = context;
  const { branch, owner, label } = work;
  if ((await commitOf(git.repository, work.to)) === null)
    return { outcome: 'elsewhere', reason: `The commit ${work.to.slice(0, 12)} is not in ${git.repository.root}.` };
  const undoing = {
    ...git,
    ...work,
    author: services.author,
    message: `Undo ${label}\n\nAttractor-Task: ${context.task.id}`,
    mark: `Attractor-Rollback: ${effect.id}`,
  };
  const landed = await land({
    ...undoing,
    baseBranch: branch,
    base: owner,
    make: (tip) => undoneCommit(undoing, tip),
    find: (tip) => findUndone(undoing, tip),
    prove: async (made) =>
      owner === 'ours' ? { ok: true, value: null } : context.prove({ ...context, ...made, headCommit: made.commit }),
  });
  if (!landed.ok) return failed(landed);
  const { commit, notice } = landed.value;
  const takenBack = owner === 'ours' ? [] : await mergesTakenBack(context, branch, commit);
  return {
    outcome: 'done',
    result: { commit, notice },
    record: (tx) => record(tx, context, { work, commit, takenBack }),
  };
}

/** The task's merges of which nothing is left on the base: they are reverted, in whatever parts that was done. */
async function mergesTakenBack(context: EffectContext, branch: string, tip: string): Promise<ReadonlyArray<string>> {
  const taken: string[] = [];
  for (const artifact of await listArtifacts(context.services.store.read, context.task.id)) {
    const { baseBranch, revertCommit } = artifact.metadata;
    if (baseBranch !== branch || typeof revertCommit === 'string') continue;
    if (await isTakenBack(context, artifact, tip)) taken.push(artifact.id);
  }
  return taken;
}

type RolledBack = { readonly work: Work; readonly commit: string; readonly takenBack: ReadonlyArray<string> };

async function record(tx: Tx, context: EffectContext, { work, commit, takenBack }: RolledBack): Promise<void> {
  const { branch, label } = work;
  await tell(tx, context, {
    type: 'work.rolled_back',
    summary: `Undone on ${branch}: ${label} (${commit.slice(0, 12)})`,
    data: { branch, commit, from: work.from, to: work.to, files: work.files ?? null },
  });
  const artifacts = await listArtifacts(tx, context.task.id);
  for (const artifact of artifacts.filter(({ id }) => takenBack.includes(id)))
    await recordRevert(tx, context, { artifact, commit, notice: null });
  const moved = artifacts.filter((artifact) => isOpenRequest(artifact) && artifact.metadata['headBranch'] === branch);
  for (const known of moved) {
    const artifact = { ...known, metadata: { ...known.metadata, headCommit: commit } };
    await updateArtifact(tx, artifact);
    const summary = `${artifact.label} is at ${commit.slice(0, 12)}`;
    await tell(tx, context, { type: 'artifact.updated', summary, data: { artifact } });
  }
}
