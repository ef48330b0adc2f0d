import { lstatSync } from 'node:fs';
import path from 'node:path';
import { gitFolderOf, sharedGitFolder } from './config-text.ts';

/**
 * Git LFS: files that a repository keeps beside git, which has a pointer of three lines for each. The program `git-lfs` turns one into the
 * other while git reads and writes a working tree. It is the machine's own, whatever the repository says about the filter.
 */

/** Keys by which a repository would make git-lfs run a program. */
const PROGRAM = /^lfs\.(?:extension\..+\.(?:clean|smudge)|customtransfer\..+\.path|(?:.+\.)?standalonetransferagent)$/i;

export function largeFilesProgramKey(keys: ReadonlyArray<string>): string | null {
  return keys.find((key) => PROGRAM.test(key)) ?? null;
}

/**
 * What is written to a working tree stays a pointer: git-lfs would ask servers for what it lacks, and believes whatever stands among its
 * objects. Contents are put in place by themselves, once they are known to be what the pointer names.
 */
export function largeFilesFilter(program: string): ReadonlyArray<readonly [string, string]> {
  return [
    ['filter.lfs.process', `'${program.replaceAll("'", String.raw`'\''`)}' filter-process --skip`],
    ['filter.lfs.required', 'true'],
  ];
}

/** Where git-lfs writes what it makes, in the repository's own folder. */
const WRITTEN = ['lfs', 'lfs/objects', 'lfs/tmp', 'lfs/logs', 'lfs/cache'];

type Where = { readonly cwd: string; readonly variables?: Readonly<Record<string, string>> };

/** Commands of agents can write in there: through a link of theirs git-lfs would write elsewhere. */
export function linkAmongLargeFiles({ cwd, variables = {} }: Where): string | null {
  const own = variables['GIT_DIR'] ?? gitFolderOf(cwd);
  const shared = own === null ? null : sharedGitFolder(path.resolve(cwd, own));
  const places = shared === null ? [] : WRITTEN.map((name) => path.join(shared, name));
  return places.find((at) => lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) ?? null;
}
