import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { gitFolderOf, largeFilesProblem } from '@attractor/git';
import { type Project, refuse, type Result, type StartBlock } from '@attractor/store';
import { fetchLargeFiles } from '../git/large-files.ts';
import { placeLargeFiles, pointersAmong } from '../git/large-objects.ts';
import type { RemoteOptions } from '../git/person-git.ts';
import { findRemote } from '../git/remote.ts';
import { git, type Repository } from '../git/repository.ts';

export type LargeFilesWanted = {
  readonly repository: Repository;
  readonly worktree: string;
  /** Null: the project's remote must not be asked. */
  readonly talk: (() => Promise<RemoteOptions & { readonly signal?: AbortSignal }>) | null;
  /** The commit that the files on disk are of, if it is not the one that is checked out. */
  readonly of?: string;
};

/**
 * Puts in place what Git LFS keeps of a worktree, where pointers stand for it. Refused before anybody works on pointers, or commits what
 * should have been one: where git-lfs is missing, and where the files can't be had. Returns what is left out on purpose, for people.
 */
export async function completeLargeFiles(wanted: LargeFilesWanted): Promise<Result<ReadonlyArray<string>>> {
  const { repository, worktree, talk, of = 'HEAD' } = wanted;
  const says = saysLargeFiles(worktree);
  if (!says && !mayHaveMoreAttributes(worktree)) return done([]);
  const files = await largeFilesOf(worktree);
  if (!files.ok) return files;
  if (files.value.length === 0 && !says) return done([]);
  const problem = await largeFilesProblem({ cwd: worktree });
  if (problem !== null) return refuse('unavailable', notReadable(repository.root, problem));
  // Agents may write in there, as among git's objects, once it is there.
  mkdirSync(join(repository.gitFolder, 'lfs'), { recursive: true });
  const pointers = await pointersAmong(worktree, files.value);
  if (pointers.length === 0) return done([]);
  const lacking = await placeLargeFiles(worktree, pointers);
  if (lacking.length === 0) return done([]);
  const remote = talk === null ? null : await findRemote(repository);
  const commit = await git(['rev-parse', '--verify', `${of}^{commit}`], { cwd: worktree });
  if (!commit.ok) return commit;
  const fetched =
    remote === null || talk === null
      ? null
      : await fetchLargeFiles({ repository, remote, talk: await talk() }, [commit.value]);
  const left = await placeLargeFiles(worktree, lacking);
  if (left.length === 0) return done([]);
  const names = `${left.slice(0, 5).join(', ')}${left.length > 5 ? ` and ${left.length - 5} more` : ''}`;
  if (fetched?.ok === false)
    return refuse('unavailable', `The contents of ${names} could not be fetched. ${fetched.error.message}`);
  return done([`Files that Git LFS keeps are only pointers here: ${names}.`]);
}

/** Runs are left to machines that can read what Git LFS keeps. What only a look into every folder tells is told when the run begins. */
export async function whyNotComplete({ path }: Project): Promise<StartBlock | null> {
  const problem = saysLargeFiles(path) ? await largeFilesProblem({ cwd: path }) : null;
  return problem === null ? null : { code: 'no_git_lfs', message: notReadable(path, problem) };
}

function notReadable(root: string, problem: string): string {
  return `${root} keeps files with Git LFS, and ${problem}.`;
}

const ATTRIBUTES = '.gitattributes';

function saysLargeFiles(folder: string): boolean {
  return /^[^#\n]*\bfilter=lfs\b/m.test(textOf(join(folder, ATTRIBUTES)) ?? '');
}

/** Attributes may stand in any folder: the index names those files, and git is asked only if there are some. */
function mayHaveMoreAttributes(worktree: string): boolean {
  const index = textOf(join(gitFolderOf(worktree) ?? '', 'index'));
  if (index === null) return true;
  const own = textOf(join(worktree, ATTRIBUTES)) === null ? 0 : 1;
  return index.split(ATTRIBUTES).length - 1 > own;
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return null;
  }
}

async function largeFilesOf(worktree: string): Promise<Result<ReadonlyArray<string>>> {
  const which = ['--cached', '--others', '--exclude-standard'];
  const listed = await git(['ls-files', '-z', ...which, '--', ':(top,attr:filter=lfs)'], { cwd: worktree });
  return listed.ok ? done([...new Set(listed.value.split('\0'))].filter((name) => name !== '')) : listed;
}
