import { includeFiles as include, type Included } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import type { Repository } from '../git/repository.ts';
import { worktreeFolders } from '../git/worktrees-folder.ts';

/** What `.worktreeinclude` names, in a worktree of ours. */
export async function includeFiles(
  repository: Repository,
  { worktree, patterns }: { readonly worktree: string; readonly patterns: string },
): Promise<Result<Included>> {
  const { root } = repository;
  const included = await include({ root, worktree, patterns, except: worktreeFolders(repository) });
  return included.ok ? included : refuse('unavailable', included.error.message);
}
