import { done } from '@attractor/base';
import { refNameProblem } from '@attractor/git';
import { refuse, type Result, type TaskPhase } from '@attractor/store';
import { git, type Repository } from '../git/repository.ts';
import { branchTip, commitOf } from '../git/commits.ts';

const SLUG_LENGTH = 30;

/** Beside the task's branch and not below it: git can't keep a branch in a folder that has the name of another branch. */
export function phaseBranchName(taskBranch: string, phase: Pick<TaskPhase, 'name' | 'position'>): string {
  const slug = phase.name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH)
    .replaceAll(/^-+|-+$/g, '');
  return `${taskBranch}--${phase.position + 1}${slug === '' ? '' : `-${slug}`}`;
}

/** The existing branch, otherwise a new one at its base. No checkout is touched. Returns its commit. */
export async function ensureBranch(
  repository: Repository,
  { branch, baseBranch }: { readonly branch: string; readonly baseBranch: string },
): Promise<Result<string>> {
  const problem = refNameProblem(branch);
  if (problem !== null)
    return refuse('invalid', `The branch name ${JSON.stringify(branch)} ${problem}: choose another.`);
  const known = await branchTip(repository, branch);
  if (known !== null) return done(known);
  const base =
    (await branchTip(repository, baseBranch)) ?? (await commitOf(repository, `refs/remotes/origin/${baseBranch}`));
  if (base === null)
    return refuse(
      'unavailable',
      `The base branch "${baseBranch}" does not exist in ${repository.root}: create it, or name another.`,
    );
  const made = await git(['update-ref', `refs/heads/${branch}`, base, '0'.repeat(base.length)], {
    cwd: repository.root,
  });
  if (made.ok) return done(base);
  const meanwhile = await branchTip(repository, branch);
  return meanwhile === null ? made : done(meanwhile);
}
