import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import { type GitPerson, listsNoSubmodule } from '@attractor/git';
import type { Result } from '@attractor/store';
import { git } from '../git/repository.ts';

export type Adding = {
  readonly author: GitPerson;
  /** The commit that the work began from: what it has is not the work's. */
  readonly began: string;
};

/**
 * Puts all that changed into the index, but no repository that somebody made in the worktree: git would keep a number of it, and none of its
 * files. Returns those that were left out.
 */
export async function addAll(cwd: string, { author, began }: Adding): Promise<Result<ReadonlyArray<string>>> {
  const options = { cwd, author };
  const added = await git(['add', '--all', '--sparse'], options);
  const inner = [...(await innerRepositories(cwd, began)), ...(added.ok ? [] : await repositoriesBeside(cwd))];
  if (inner.length === 0) return added.ok ? done([]) : added;
  const stdin = inner.map((name) => `${name}\0`).join('');
  const removed = await git(['update-index', '--force-remove', '-z', '--stdin'], { ...options, stdin });
  if (!removed.ok) return removed;
  const left = inner.filter((name) => existsSync(join(cwd, name, '.git')));
  const others = left.map((name) => `:(exclude,top,literal)${name}`);
  const files = await git(['add', '--all', '--sparse', '--', '.', ...others], options);
  return files.ok ? done(left) : files;
}

const POINTER = /^160000 (?:commit )?[0-9a-f]+(?: 0)?\t(.+)$/s;

function pointersIn(listed: Result<string>): ReadonlyArray<string> {
  return (listed.ok ? listed.value.split('\0') : []).flatMap((line) => POINTER.exec(line)?.[1] ?? []);
}

/** What the index points at and nobody named as a submodule. */
export async function innerRepositories(cwd: string, began: string): Promise<ReadonlyArray<string>> {
  if (listsNoSubmodule({ cwd })) return [];
  const pointers = pointersIn(await git(['ls-files', '--stage', '-z'], { cwd }));
  if (pointers.length === 0) return [];
  const listed = await git(['config', '--file', '.gitmodules', '--null', '--get-regexp', '\\.path$'], { cwd });
  const entries = listed.ok ? listed.value.split('\0') : [];
  const named = new Set(entries.map((entry) => entry.slice(entry.indexOf('\n') + 1)));
  const others = pointers.filter((name) => !named.has(name));
  if (others.length === 0) return [];
  const before = new Set(pointersIn(await git(['ls-tree', '-r', '-z', '--full-tree', began], { cwd })));
  return others.filter((name) => !before.has(name));
}

/** Those without a commit, above all: git refuses to add anything beside them. */
async function repositoriesBeside(cwd: string): Promise<ReadonlyArray<string>> {
  const listed = await git(['ls-files', '--others', '--exclude-standard', '-z'], { cwd });
  return (listed.ok ? listed.value.split('\0') : []).flatMap((name) => (name.endsWith('/') ? [name.slice(0, -1)] : []));
}

/** Another worktree has its commits in the project's repository; this has them where nobody sees them. */
export function isOfItsOwn(cwd: string, name: string): boolean {
  return lstatSync(join(cwd, name, '.git'), { throwIfNoEntry: false })?.isDirectory() === true;
}
