import { done } from '@attractor/base';
import type { GitPerson } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { isAncestor } from '../git/commits.ts';
import { droppedBase } from '../git/dropped-base.ts';
import { headOf } from '../git/checked-out.ts';
import { git, type Repository } from '../git/repository.ts';

export type SyncRequest = {
  readonly repository: Repository;
  readonly path: string;
  readonly author: GitPerson;
};

/** Takes over what others pushed to the task's branch. `diverged`: both sides have their own commits; nothing was changed. */
export async function fastForward(
  { repository, path }: SyncRequest,
  remoteCommit: string,
): Promise<Result<'moved' | 'same' | 'diverged'>> {
  const head = await headOf(path);
  if (!head.ok) return head;
  if (await isAncestor(repository, remoteCommit, head.value)) return done('same');
  if (!(await isAncestor(repository, head.value, remoteCommit))) return done('diverged');
  const moved = await git(['merge', '--ff-only', '--quiet', '--no-verify', remoteCommit], { cwd: path });
  return moved.ok ? done('moved') : moved;
}

export type Rebased =
  | { readonly kind: 'rebased' | 'same' }
  | { readonly kind: 'conflict'; readonly files: ReadonlyArray<string> };

/** Rebases the branch's commits on the base. It aborts at the first conflict: the branch stays as it was, and nothing is forced. */
export async function rebaseOnBase(
  { repository, path, author, baseBranch }: SyncRequest & { readonly baseBranch: string },
  base: string,
): Promise<Result<Rebased>> {
  if (await isAncestor({ ...repository, root: path }, base, 'HEAD')) return done({ kind: 'same' });
  const before = await headOf(path);
  if (!before.ok) return before;
  const began = await droppedBase({ repository, baseBranch, tip: base, head: before.value });
  const onto = began === null ? [base] : ['--onto', base, began];
  const rebased = await git(['rebase', '--quiet', '--no-autostash', '--no-verify', ...onto], { cwd: path, author });
  if (rebased.ok) return done({ kind: 'rebased' });
  const files = await unmergedFiles(path);
  const aborted = await git(['rebase', '--abort'], { cwd: path, author });
  const after = await headOf(path);
  if (!after.ok || after.value !== before.value)
    return refuse(
      'unavailable',
      `The rebase could not be taken back: ${aborted.ok ? rebased.error.message : aborted.error.message}`,
    );
  if (files.length > 0) return done({ kind: 'conflict', files });
  return refuse('unavailable', `The branch could not be rebased: ${rebased.error.message}`);
}

/** Restores rescued work as uncommitted changes. On a conflict the worktree stays clean, and the ref keeps the work. */
export async function bringBack({ path, author }: SyncRequest, ref: string): Promise<Result<Rebased>> {
  const picked = await git(['cherry-pick', '--no-commit', '--allow-empty', ref], { cwd: path, author });
  if (picked.ok) {
    const unstaged = await git(['reset', '--quiet'], { cwd: path });
    return unstaged.ok ? done({ kind: 'rebased' }) : unstaged;
  }
  const files = await unmergedFiles(path);
  await git(['reset', '--hard', '--quiet', 'HEAD'], { cwd: path });
  await git(['clean', '-fd', '--quiet'], { cwd: path });
  if (files.length > 0) return done({ kind: 'conflict', files });
  return refuse(
    'unavailable',
    `Uncommitted work could not be put back (it is kept as ${ref}): ${picked.error.message}`,
  );
}

async function unmergedFiles(path: string): Promise<ReadonlyArray<string>> {
  const listed = await git(['diff', '--name-only', '--diff-filter=U', '-z'], { cwd: path });
  return listed.ok ? [...new Set(listed.value.split('\0').filter((name) => name !== ''))] : [];
}
