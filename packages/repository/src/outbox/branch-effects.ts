import { lstatSync } from 'node:fs';
import { done } from '@attractor/base';
import { addArtifact, type EffectWork, refuse, type Result } from '@attractor/store';
import type { Branches } from '../scm/phase-place.ts';
import { ensureBranch } from '../scm/task-branch.ts';
import { excludeFromGit } from '../worktrees/exclude.ts';
import { withRepoLock } from '../git/repo-lock.ts';
import { git, type Repository } from '../git/repository.ts';
import { folderInRepository, linkOnTheWay, worktreePath } from '../git/worktrees-folder.ts';
import { type EffectContext, failed, nothingToDo, type Performed, tell } from './performed.ts';
import { fail } from '../git/outside-result.ts';

type Work<Kind extends EffectWork['kind']> = Extract<EffectWork, { readonly kind: Kind }>;

export async function performCreateBranch(context: EffectContext, work: Work<'create_branch'>): Promise<Performed> {
  const { branch, baseBranch, phaseId } = work;
  const made = await ensureBranch(context.git.repository, { branch, baseBranch });
  if (!made.ok) return failed(fail(made.error.code, made.error.message));
  return {
    outcome: 'done',
    result: { commit: made.value },
    record: async (tx) => {
      const added = await addArtifact(tx, {
        taskId: context.task.id,
        runId: null,
        key: `branch:${branch}`,
        type: 'branch',
        label: branch,
        url: null,
        metadata: { branchName: branch, baseBranch },
        phaseId,
      });
      if (added !== null)
        await tell(tx, context, { type: 'branch.created', summary: `branch: ${branch}`, data: { artifact: added } });
    },
  };
}

/** Only if there is none yet, checked under the lock: an agent may be working in an existing one. */
export async function performCreateWorktree(context: EffectContext, work: Work<'create_worktree'>): Promise<Performed> {
  const { repository } = context.git;
  const path = worktreePath(repository, context.task.id);
  const made = await withRepoLock(repository.gitFolder, () => makeWorktree(repository, path, work));
  if (!made.ok) return failed(fail(made.error.code, made.error.message));
  if (made.value === 'there already') return nothingToDo({ path });
  const { branch } = work;
  const summary = `Worktree ${path} on ${branch}`;
  return {
    outcome: 'done',
    result: { path },
    record: (tx) => tell(tx, context, { type: 'worktree.made', summary, data: { path, branch } }),
  };
}

async function makeWorktree(
  repository: Repository,
  path: string,
  { branch, baseBranch }: Branches,
): Promise<Result<'made' | 'there already'>> {
  const link = linkOnTheWay(repository, path);
  if (link !== null) return refuse('unavailable', `${link} is a link: remove it, nothing is written through one.`);
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return done('there already');
  const folder = folderInRepository(repository, path);
  const excluded = folder === null ? done(null) : excludeFromGit(repository, folder);
  if (!excluded.ok) return excluded;
  const ready = await ensureBranch(repository, { branch, baseBranch });
  if (!ready.ok) return ready;
  const added = await git(['worktree', 'add', '--quiet', path, branch], { cwd: repository.root });
  return added.ok ? done('made') : added;
}
