import { existsSync } from 'node:fs';
import { fail } from '../scm/scm.ts';
import { ensureBranch } from '../scm/task-branch.ts';
import { addArtifact } from '../store/artifacts.ts';
import type { EffectWork } from '../types/index.ts';
import { ensureWorktree, unlockWorktree, worktreePath } from '../worktrees/worktree.ts';
import { type EffectContext, failed, nothingToDo, type Performed, tell } from './performed.ts';

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

/** Only where there is none yet: an agent may be at work in one that is there. */
export async function performCreateWorktree(context: EffectContext, work: Work<'create_worktree'>): Promise<Performed> {
  const { git, task, services } = context;
  const path = worktreePath(git.repository.root, task.id);
  if (existsSync(path)) return nothingToDo({ path });
  const made = await ensureWorktree({
    repository: git.repository,
    taskId: task.id,
    branch: work.branch,
    baseBranch: work.baseBranch,
    author: services.author,
    lockReason: `attractor makes it for task ${task.id}`,
  });
  if (!made.ok) return failed(fail(made.error.code, made.error.message));
  await unlockWorktree(git.repository, path);
  return {
    outcome: 'done',
    result: { path },
    record: (tx) =>
      tell(tx, context, {
        type: 'worktree.made',
        summary: `Worktree ${path} on ${work.branch}`,
        data: { path, branch: work.branch },
      }),
  };
}
