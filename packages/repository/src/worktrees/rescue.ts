import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { gitFolderOf, type GitPerson, readRepositoryConfig } from '@attractor/git';
import type { Result } from '@attractor/store';
import { git, type Repository } from '../git/repository.ts';

export type Leftovers = {
  readonly folder: string;
  readonly taskId: string;
  /** The commit that the folder was at. */
  readonly parent: string;
  readonly author: GitPerson;
  /** The commit itself may be held by no ref, as after an agent worked on a detached HEAD; it is then rescued. */
  readonly mayBeLost?: boolean;
};

/** `ref` null: there was nothing beyond the parent commit. `embedded`: repositories inside the folder; no ref holds them. */
export type Rescue = { readonly ref: string | null; readonly embedded: ReadonlyArray<string> };

/**
 * Keeps uncommitted changes of a folder as a commit under `refs/attractor/rescue/<task>/<n>`, without touching the folder, any index or any
 * branch; one at a time in a repository. Works for an intact worktree and for one whose git link is broken.
 */
export async function rescueLeftovers(repository: Repository, leftovers: Leftovers): Promise<Result<Rescue>> {
  // By the task: what a process that was killed left there goes with the next rescue, at the latest when the task has ended.
  const scratch = join(repository.gitFolder, `attractor-rescue-${leftovers.taskId}`);
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch);
  try {
    return await commitLeftovers(repository, leftovers, join(scratch, 'index'));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function commitLeftovers(repository: Repository, leftovers: Leftovers, index: string): Promise<Result<Rescue>> {
  const { folder, parent, author } = leftovers;
  const unkept = await isUnkept(repository, leftovers);
  const nothing: Rescue = { ref: null, embedded: [] };
  if (!(await holdsFiles(folder))) {
    if (!unkept) return done(nothing);
    const ref = await nextRescueRef(repository, leftovers.taskId, parent);
    return ref.ok ? done({ ref: ref.value, embedded: [] }) : ref;
  }
  const variables = { GIT_DIR: repository.gitFolder, GIT_WORK_TREE: folder, GIT_INDEX_FILE: index };
  const options = { cwd: folder, variables, author };
  const listed = await beginIndex(leftovers, options);
  if (!listed.ok) return listed;
  // Git lists a nested repository as a folder; adding it would keep a number and none of its files.
  const embedded = listed.value.split('\0').filter((name) => name.endsWith('/'));
  const others = embedded.map((name) => `:(exclude,top,literal)${name.slice(0, -1)}`);
  const added = await git(['add', '--all', '--sparse', '--', '.', ...others], options);
  if (!added.ok) return added;
  const tree = await git(['write-tree'], options);
  if (!tree.ok) return tree;
  const before = await git(['rev-parse', '--verify', '--quiet', `${parent}^{tree}`], options);
  const isSame = before.ok && before.value === tree.value;
  if (isSame && !unkept) return done({ ref: null, embedded });
  const message = `Uncommitted work found in ${folder}`;
  const commit = isSame ? done(parent) : await git(['commit-tree', tree.value, '-p', parent, '-m', message], options);
  if (!commit.ok) return commit;
  const ref = await nextRescueRef(repository, leftovers.taskId, commit.value);
  return ref.ok ? done({ ref: ref.value, embedded }) : ref;
}

type Beginning = { readonly cwd: string; readonly variables: { readonly GIT_INDEX_FILE: string } };

/** In a sparse checkout only the folder's own index knows which files are left out. Returns what the index does not have. */
async function beginIndex({ folder, parent }: Leftovers, options: Beginning): Promise<Result<string>> {
  const others = ['ls-files', '--others', '--exclude-standard', '-z'];
  const index = options.variables.GIT_INDEX_FILE;
  const isCopied = (await isSparse(folder)) && (await copied(join(gitFolderOf(folder) ?? '', 'index'), index));
  const listed = isCopied ? await git(others, options) : null;
  if (listed?.ok === true) return listed;
  await rm(index, { force: true });
  const read = await git(['read-tree', parent], options);
  return read.ok ? git(others, options) : read;
}

export async function isSparse(folder: string): Promise<boolean> {
  const config = await readRepositoryConfig({ cwd: folder });
  return config.some(({ key, value }) => key === 'core.sparsecheckout' && value !== 'false');
}

function copied(from: string, to: string): Promise<boolean> {
  return copyFile(from, to).then(
    () => true,
    () => false,
  );
}

async function isUnkept({ root }: Repository, { parent, mayBeLost = false }: Leftovers): Promise<boolean> {
  if (!mayBeLost) return false;
  const held = await git(['for-each-ref', '--count=1', '--format=%(refname)', '--contains', parent], { cwd: root });
  return held.ok && held.value === '';
}

async function holdsFiles(folder: string): Promise<boolean> {
  if (!existsSync(folder)) return false;
  return (await readdir(folder)).some((name) => name !== '.git');
}

/** Puts a commit under the task's next rescue ref; an existing one is never replaced. */
export async function nextRescueRef(repository: Repository, taskId: string, commit: string): Promise<Result<string>> {
  const prefix = `refs/attractor/rescue/${taskId}/`;
  const listed = await git(['for-each-ref', '--format=%(refname)', prefix], { cwd: repository.root });
  if (!listed.ok) return listed;
  const numbers = listed.value.split('\n').map((ref) => Number(ref.slice(prefix.length)) || 0);
  const ref = `${prefix}${Math.max(0, ...numbers) + 1}`;
  const created = await git(['update-ref', ref, commit, '0'.repeat(commit.length)], { cwd: repository.root });
  return created.ok ? done(ref) : created;
}
