import { done } from '@attractor/base';
import { type GitPerson, gitFolderOf, sharedGitFolder } from '@attractor/git';
import { refuse, type Result } from '@attractor/store';
import { headOf } from '../git/checked-out.ts';
import { fetchLargeFiles, keepsLargeFiles } from '../git/large-files.ts';
import type { ScmResult } from '../git/outside-result.ts';
import { git } from '../git/repository.ts';
import { type CheckedOutSubmodule, checkedOutSubmodules, isOwnRepository } from './checked-out.ts';
import { inStore, largeFilesOf, makeSubmoduleStore, storeHas, type SubmoduleStore } from './submodule-store.ts';

export type SubmoduleWork = {
  readonly message: string;
  readonly author: GitPerson;
  /** False: what is not committed stays so. */
  readonly isWanted: boolean;
  readonly beforeChange?: (() => Promise<void>) | undefined;
};

/**
 * What a run did in submodules: what it left uncommitted is committed there, the branch of the same name points at it, and a repository of
 * ours keeps the commits. Called before the project's own commit, which then has the pointers. No submodule is checked out or moved.
 */
export async function keepSubmodules(worktree: string, work: SubmoduleWork): Promise<Result<null>> {
  const own = gitFolderOf(worktree);
  const gitFolder = own === null ? null : sharedGitFolder(own);
  if (gitFolder === null) return done(null);
  const submodules = await checkedOutSubmodules(worktree);
  const head = submodules.length === 0 ? done('') : await git(['symbolic-ref', '--quiet', 'HEAD'], { cwd: worktree });
  // Without a branch nothing is known to belong together, and only the project's own files are kept.
  if (!head.ok) return done(null);
  for (const submodule of submodules) {
    const kept = await keepOne(submodule, { ...work, branch: head.value, worktree, gitFolder });
    if (!kept.ok) return refuse('unavailable', `The submodule ${submodule.path}: ${kept.error.message}`);
  }
  return done(null);
}

type Keeping = SubmoduleWork & {
  /** The project's, as a ref: the submodule gets one of the same name. */
  readonly branch: string;
  readonly worktree: string;
  readonly gitFolder: string;
};

async function keepOne(submodule: CheckedOutSubmodule, work: Keeping): Promise<Result<null>> {
  const { folder, path } = submodule;
  const flags = ['--porcelain', '--untracked-files=normal', '--ignore-submodules=dirty'];
  const status = await git(['status', ...flags], { cwd: folder });
  if (!status.ok) return status;
  const head = await headOf(folder);
  if (!head.ok) return head;
  const isChanged = status.value !== '' && work.isWanted;
  if (!isChanged && (await isElsewhere(folder, head.value))) return done(null);
  if (!(await isOwnRepository(submodule, work)))
    return refuse('unavailable', 'its repository is not in the project; nothing in it was touched. Remove the folder.');
  const commit = isChanged ? await commitIn(folder, work) : head;
  if (!commit.ok) return commit;
  const { branch } = work;
  const named = await git(['update-ref', branch, commit.value], { cwd: folder });
  if (!named.ok) return named;
  const store = await makeSubmoduleStore(work.gitFolder, path);
  if (!store.ok) return store;
  if (!(await storeHas(store.value, commit.value))) {
    const from = ['--quiet', '--no-tags', '--update-shallow', '--', folder, `+${branch}:${branch}`];
    const fetched = await git(['fetch', ...from], inStore(store.value));
    if (!fetched.ok) return fetched;
  }
  const large = await keepLargeFiles(store.value, folder, commit.value);
  if (!large.ok) return large;
  const kept = await git(['update-ref', branch, commit.value], inStore(store.value));
  return kept.ok ? done(null) : kept;
}

async function keepLargeFiles(store: SubmoduleStore, folder: string, commit: string): Promise<ScmResult<null>> {
  const from = gitFolderOf(folder);
  if (from === null || !keepsLargeFiles({ gitFolder: from })) return { ok: true, value: null };
  return fetchLargeFiles(largeFilesOf(store, from), [commit]);
}

/** A commit that its remote has needs nobody to keep it. */
async function isElsewhere(folder: string, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', '--format=%(refname)', '--contains', commit, 'refs/remotes'];
  const held = await git(args, { cwd: folder });
  return held.ok && held.value !== '';
}

async function commitIn(folder: string, { message, author, beforeChange }: Keeping): Promise<Result<string>> {
  await beforeChange?.();
  const options = { cwd: folder, author };
  const added = await git(['add', '--all', '--sparse'], options);
  if (!added.ok) return added;
  const committed = await git(['commit', '--quiet', '--no-verify', '--message', message], options);
  return committed.ok ? headOf(folder) : committed;
}
