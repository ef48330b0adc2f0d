import { done } from '@attractor/base';
import { runGit } from '@attractor/git';
import type { Result } from '@attractor/store';
import { commitsInFiles } from './commits-in-files.ts';
import { commitInFiles } from './files-of-git.ts';
import { git, type Repository } from './repository.ts';

/** Null if there is no such commit here. */
export async function commitOf({ root, gitFolder }: Repository, name: string): Promise<string | null> {
  const inFiles = commitInFiles(gitFolder, name);
  if (inFiles !== undefined) return inFiles;
  const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], { cwd: root });
  return found.ok ? found.value : null;
}

/** The same for several names at once, in their order. */
export async function commitsOf(
  { root, gitFolder }: Repository,
  names: ReadonlyArray<string>,
): Promise<ReadonlyArray<string | null>> {
  const inFiles = names.map((name) => commitInFiles(gitFolder, name)).filter((one) => one !== undefined);
  if (inFiles.length === names.length) return inFiles;
  const stdin = names.map((name) => `${name}^{commit}\n`).join('');
  const found = await git(['cat-file', '--batch-check=%(objectname) %(objecttype)'], { cwd: root, stdin });
  const lines = found.ok ? found.value.split('\n') : [];
  return names.map((_, at) => /^([0-9a-f]+) commit$/.exec(lines[at] ?? '')?.[1] ?? null);
}

export function branchTip(repository: Repository, branch: string): Promise<string | null> {
  return commitOf(repository, `refs/heads/${branch}`);
}

export async function isAncestor({ root, gitFolder }: Repository, older: string, newer: string): Promise<boolean> {
  if (commitsInFiles(gitFolder, { from: older, to: newer }) !== null) return true;
  // What came of another is not before it.
  if (commitsInFiles(gitFolder, { from: newer, to: older }) !== null) return false;
  return (await git(['merge-base', '--is-ancestor', older, newer], { cwd: root })).ok;
}

/** The last commit that two have in common, which is one of them where the other has all of it; null if there is none. */
export async function mergeBaseOf({ root }: Repository, one: string, other: string): Promise<string | null> {
  const found = await git(['merge-base', one, other], { cwd: root });
  return found.ok ? found.value : null;
}

export async function isTreeOf({ root }: Repository, commit: string, tree: string): Promise<boolean> {
  const found = await git(['rev-parse', `${commit}^{tree}`], { cwd: root });
  return found.ok && found.value === tree;
}

/** How many commits each side has that the other lacks. */
export async function countApart(
  { root }: Repository,
  between: { readonly base: string; readonly head: string },
): Promise<Result<{ readonly ahead: number; readonly behind: number }>> {
  const counted = await git(['rev-list', '--left-right', '--count', `${between.base}...${between.head}`], {
    cwd: root,
  });
  if (!counted.ok) return counted;
  const [behind = '0', ahead = '0'] = counted.value.split('\t');
  return done({ ahead: Number(ahead), behind: Number(behind) });
}

/** The folders in which a branch is checked out. */
export async function checkoutsOf({ root }: Repository, branch: string): Promise<ReadonlyArray<string>> {
  const listed = await git(['worktree', 'list', '--porcelain', '-z'], { cwd: root });
  if (!listed.ok) return [];
  return listed.value
    .split('\0\0')
    .map((entry) => entry.split('\0').filter((line) => line !== ''))
    .filter((lines) => lines.includes(`branch refs/heads/${branch}`))
    .flatMap((lines) => lines.find((line) => line.startsWith('worktree '))?.slice('worktree '.length) ?? []);
}

export type TreeMerge =
  | { readonly clean: true; readonly tree: string }
  /** `tree` has the conflicts marked in its files. */
  | { readonly clean: false; readonly tree: string; readonly conflicts: ReadonlyArray<string> };

/** The result of merging two commits, computed without a checkout. */
export async function mergeTrees({ root }: Repository, onto: string, from: string): Promise<Result<TreeMerge>> {
  const args = ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', onto, from];
  const merged = await runGit(args, { cwd: root });
  const [tree = '', ...conflicts] = merged.stdout.split('\0').filter((part) => part !== '');
  if (merged.exitCode === 0) return done({ clean: true, tree });
  if (merged.exitCode === 1 && tree !== '') return done({ clean: false, tree, conflicts: [...new Set(conflicts)] });
  return {
    ok: false,
    error: { code: 'unavailable', message: `The merge could not be computed: ${merged.stderr.trim()}` },
  };
}
