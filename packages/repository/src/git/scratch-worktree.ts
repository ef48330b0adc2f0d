import { rm } from 'node:fs/promises';
import { git, type Repository } from './repository.ts';
import { worktreePath } from './worktrees-folder.ts';
import type { Result } from '@attractor/store';

/**
 * A worktree for a short while at a commit, on no branch. It stands beside those of tasks; its name begins with the task's id, so that one
 * that was left over by a crash is found and removed.
 */
export async function inScratchWorktree<Value>(
  { repository, name, commit }: { readonly repository: Repository; readonly name: string; readonly commit: string },
  work: (folder: string) => Promise<Result<Value>>,
): Promise<Result<Value>> {
  const folder = worktreePath(repository, name);
  const remove = async (): Promise<void> => {
    await git(['worktree', 'remove', '--force', folder], { cwd: repository.root });
    await rm(folder, { recursive: true, force: true });
  };
  await remove();
  try {
    const made = await git(['worktree', 'add', '--quiet', '--detach', folder, commit], { cwd: repository.root });
    return made.ok ? await work(folder) : made;
  } finally {
    await remove();
  }
}
