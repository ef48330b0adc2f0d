import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { isInside } from '@attractor/confine';
import type { GitList } from '@attractor/shell';
import { isSecretName } from '@attractor/shell/secret-names';
import type { GitContext } from './git-programs.ts';
import { realPathOf } from './real-path.ts';

const MOST = 20_000;

/**
 * Why a program that is given the files that git lists may read something else than files of the workspace; null if it can't. The index
 * is a file like any other: whoever made it may have put any name into it.
 */
export async function whyListAsks(list: GitList, ground: Omit<GitContext, 'folder'>): Promise<string | null> {
  const { filesListedByGit } = await import('@attractor/git');
  const place = { folder: list.folder, variables: ground.variables };
  const listed = await Promise.all(list.lists.map((words) => filesListedByGit(words, place)));
  if (listed.includes(null)) return 'which files git lists can’t be told';
  const names = [...new Set(listed.flatMap((some) => some ?? []))];
  if (names.length > MOST) return 'git lists too many files to look at each';
  const folders = new Map<string, string | null>();
  const realFolder = (at: string): string | null => {
    if (!folders.has(at)) folders.set(at, realPathOf(at));
    return folders.get(at) ?? null;
  };
  for (const name of names) {
    const why = whyWord(name, list) ?? whyFile(path.join(list.folder, name), ground, realFolder);
    if (why !== null) return `${name} ${why}`;
  }
  return null;
}

function whyWord(name: string, { splits }: GitList): string | null {
  if (splits.test(name)) return 'would become other words';
  if (name.startsWith('-')) return 'would be an option';
  const parts = name.split('/');
  if (parts[0] === '' || parts.includes('..')) return 'leads outside the folder that git lists';
  return parts.some(isSecretName) ? 'usually holds secrets' : null;
}

function whyFile(
  at: string,
  { folders }: Omit<GitContext, 'folder'>,
  realFolder: (at: string) => string | null,
): string | null {
  const stats = statsOf(at);
  if (stats === null) return 'can’t be looked at';
  if (stats?.isDirectory() === true) return 'is a folder';
  const folder = realFolder(path.dirname(at));
  const real =
    stats?.isSymbolicLink() === true ? realPathOf(at) : folder === null ? null : path.join(folder, path.basename(at));
  if (real === null || !folders.some((one) => isInside(one, real))) return 'leads outside the workspace';
  return stats?.isSymbolicLink() === true && real.split('/').some(isSecretName) ? 'usually holds secrets' : null;
}

/** Undefined: nothing is there. */
function statsOf(at: string): Stats | undefined | null {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch {
    return null;
  }
}
