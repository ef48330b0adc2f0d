import { join } from 'node:path';
import { done } from '@attractor/base';
import { sharedGitFolder, gitFolderOf } from '@attractor/git';
import type { Result } from '@attractor/store';
import { commitInFiles, readPlain, treeInFiles } from './files-of-git.ts';
import { git } from './repository.ts';

/** The commit that is checked out in a folder. Git is asked only where its files do not say. */
export async function headOf(cwd: string): Promise<Result<string>> {
  const commit = headInFiles(cwd);
  return typeof commit === 'string' ? done(commit) : git(['rev-parse', 'HEAD'], { cwd });
}

function headInFiles(cwd: string): string | null | undefined {
  const [own, shared] = foldersOf(cwd);
  if (own === null || shared === null) return null;
  const head = readPlain(join(own, 'HEAD'))?.toString('utf8').trimEnd() ?? '';
  return commitInFiles(shared, head.replace(/^ref: /, ''));
}

/** The checkout's own folder, and that of its repository. */
function foldersOf(cwd: string): readonly [string | null, string | null] {
  const own = gitFolderOf(cwd);
  return [own, own === null ? null : sharedGitFolder(own)];
}

/** The folder of the repository that a checkout belongs to. */
export function repositoryFolder(cwd: string): string | null {
  return foldersOf(cwd)[1];
}

/** Whether two commits have the same files. `cwd` is in their repository. */
export async function haveSameFiles(cwd: string, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const shared = repositoryFolder(cwd);
  const trees = shared === null ? [] : [one, other].map((commit) => treeInFiles(shared, commit));
  if (trees.length === 2 && !trees.includes(null)) return trees[0] === trees[1];
  return (await git(['diff-tree', '-r', '--quiet', one, other], { cwd })).ok;
}
