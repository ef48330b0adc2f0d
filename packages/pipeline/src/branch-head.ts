import { branchTip, openRepository } from '@attractor/repository';
import { type Criterion, findProject, listArtifacts, type Reader, type Task } from '@attractor/store';

/** The last commit of a task's branch as git has it now, and the repository that has it. */
export type BranchHead = { readonly root: string; readonly commit: string };

/** Null if there is no branch, or it is not on this machine. */
export async function readBranchHead(
  db: Reader,
  { id, projectId }: Pick<Task, 'id' | 'projectId'>,
): Promise<BranchHead | null> {
  const branch = (await listArtifacts(db, id)).findLast(({ type, phaseId }) => type === 'branch' && phaseId === null);
  const project = branch === undefined ? null : await findProject(db, projectId);
  const opened = project === null ? null : await openRepository(project.path);
  if (branch === undefined || opened === null || !opened.ok) return null;
  const commit = await branchTip(opened.value, branch.label);
  return commit === null ? null : { root: opened.value.root, commit };
}

/** What was shown on an earlier commit is not shown on this one. */
export function criterionOn(commit: string, one: Criterion): Criterion {
  if (one.claim === null || one.claim.commit === commit || one.state === 'accepted' || one.state === 'open') return one;
  const before = `${one.claim.state} on ${one.claim.commit.slice(0, 12)}`;
  return {
    ...one,
    state: 'claimed',
    detail: `${before}, and the branch is at ${commit.slice(0, 12)} since: verify it again`,
  };
}
