import { findAttempt, listGroups } from '@attractor/store';
import type { RunContext } from '../run-context/run-context.ts';
import { git, type Repository } from '@attractor/repository';

/** Where a run works: the task's own worktree and branch or, for one of several attempts, a separate pair beside them. */
export type RunPlace = { readonly name: string; readonly branch: string };

export async function placeOf(
  { services, task, state }: RunContext,
  repository: Repository,
  branch: string,
): Promise<RunPlace> {
  const attempt = await findAttempt(services.store.read, state.run.id);
  if (attempt === null) return { name: task.id, branch };
  const groups = await listGroups(services.store.read, task.id);
  const earlier = groups.filter(({ id }) => id < attempt.group_id).length;
  const tail = `attempt-${attempt.number}${earlier === 0 ? '' : `-${earlier + 1}`}`;
  const place = { name: `${task.id}-${tail}`, branch: `${branch}--${tail}` };
  await branchOff(repository, { from: branch, to: place.branch });
  return place;
}

/** An attempt begins at the task's branch. An attempt that had begun before continues where it is. */
async function branchOff(
  { root }: Repository,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const stands = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${from}^{commit}`], { cwd: root });
  const taken = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${to}^{commit}`], { cwd: root });
  if (stands.ok && !taken.ok) await git(['branch', '--no-track', to, stands.value], { cwd: root });
}

/** The task's branch, from the branch of one of its attempts. */
export function taskBranchOf(branch: string): string {
  return branch.replace(/--attempt-\d+(?:-\d+)?$/, '');
}
