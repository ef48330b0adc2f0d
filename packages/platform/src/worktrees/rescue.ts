import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { GitPerson } from '@attractor/agent';
import { done } from '../refusal.ts';
import type { Result } from '../workflow-contract.ts';
import { git, type Repository } from './repository.ts';

export type Leftovers = {
  readonly folder: string;
  readonly taskId: string;
  readonly parent: string;
  readonly author: GitPerson;
};

/**
 * Keeps what lies uncommitted in a folder as a commit under `refs/attractor/rescue/<task>/<n>`, without touching the folder,
 * any index or any branch. Works for a whole worktree and for one whose git link is broken. Answers the ref, or null when
 * the folder holds nothing that the parent commit has not.
 */
export async function rescueLeftovers(repository: Repository, leftovers: Leftovers): Promise<Result<string | null>> {
  const scratch = await mkdtemp(join(tmpdir(), 'attractor-rescue-'));
  try {
    return await commitLeftovers(repository, leftovers, join(scratch, 'index'));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function commitLeftovers(
  repository: Repository,
  leftovers: Leftovers,
  index: string,
): Promise<Result<string | null>> {
  const variables = { GIT_DIR: repository.gitFolder, GIT_WORK_TREE: leftovers.folder, GIT_INDEX_FILE: index };
  const options = { cwd: leftovers.folder, variables, author: leftovers.author };
  const read = await git(['read-tree', leftovers.parent], options);
  if (!read.ok) return read;
  const added = await git(['add', '--all', '--', '.'], options);
  if (!added.ok) return added;
  const tree = await git(['write-tree'], options);
  if (!tree.ok) return tree;
  const before = await git(['rev-parse', `${leftovers.parent}^{tree}`], options);
  if (before.ok && before.value === tree.value) return done(null);
  const message = `Uncommitted work found in ${leftovers.folder}`;
  const commit = await git(['commit-tree', tree.value, '-p', leftovers.parent, '-m', message], options);
  if (!commit.ok) return commit;
  return nextRescueRef(repository, leftovers.taskId, commit.value);
}

async function nextRescueRef(repository: Repository, taskId: string, commit: string): Promise<Result<string>> {
  const prefix = `refs/attractor/rescue/${taskId}/`;
  const listed = await git(['for-each-ref', '--format=%(refname)', prefix], { cwd: repository.root });
  if (!listed.ok) return listed;
  const numbers = listed.value.split('\n').map((ref) => Number(ref.slice(prefix.length)) || 0);
  const ref = `${prefix}${Math.max(0, ...numbers) + 1}`;
  const created = await git(['update-ref', ref, commit, '0'.repeat(commit.length)], { cwd: repository.root });
  return created.ok ? done(ref) : created;
}
