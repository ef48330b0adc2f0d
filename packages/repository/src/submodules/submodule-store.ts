import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { gitFolderOf, sharedGitFolder } from '@attractor/git';
import type { Result } from '@attractor/store';
import type { LargeFilesPlace } from '../git/large-files.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import { git } from '../git/repository.ts';

/**
 * The commits of a submodule that runs made, in a bare repository of our own beside those of the project: they outlive the worktree, and
 * neither the project's objects nor a person's own clone of the submodule grow by them. By the submodule's path, under the names of the
 * branches that they belong to.
 */
export type SubmoduleStore = { readonly folder: string };

function folderOf(gitFolder: string): string {
  return join(gitFolder, 'attractor-submodules');
}

function storeAt(gitFolder: string, path: string): SubmoduleStore {
  const name = createHash('sha256').update(path).digest('hex').slice(0, 24);
  return { folder: join(folderOf(gitFolder), `${name}.git`) };
}

/** Null if no run ever changed the submodule. `cwd`: any checkout of the project. */
export function findSubmoduleStore(cwd: string, path: string): SubmoduleStore | null {
  const own = gitFolderOf(cwd);
  const shared = own === null ? null : sharedGitFolder(own);
  const store = shared === null ? null : storeAt(shared, path);
  return store !== null && existsSync(store.folder) ? store : null;
}

/** Whether any submodule of the project was ever changed by a run. */
export function hasSubmoduleStores(cwd: string): boolean {
  const own = gitFolderOf(cwd);
  const shared = own === null ? null : sharedGitFolder(own);
  return shared !== null && existsSync(folderOf(shared));
}

export async function makeSubmoduleStore(gitFolder: string, path: string): Promise<Result<SubmoduleStore>> {
  const store = storeAt(gitFolder, path);
  if (existsSync(store.folder)) return done(store);
  const made = await git(['init', '--quiet', '--bare', '--', store.folder], { cwd: gitFolder });
  return made.ok ? done(store) : made;
}

/** Git, about the commits in there. */
export function inStore({ folder }: SubmoduleStore) {
  return { cwd: folder, variables: { GIT_DIR: folder } };
}

/** What Git LFS keeps of a commit comes into the store, or leaves it. `url`: a repository, by its folder or its address. */
export function largeFilesOf({ folder }: SubmoduleStore, url: string, talk: RemoteOptions = {}): LargeFilesPlace {
  return { repository: { root: folder, gitFolder: folder }, remote: { name: 'other', url }, talk };
}

export async function storeHas(store: SubmoduleStore, commit: string): Promise<boolean> {
  return (await git(['rev-parse', '--verify', '--quiet', `${commit}^{commit}`], inStore(store))).ok;
}
