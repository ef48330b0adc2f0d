import { posix } from 'node:path';
import { isInside } from '../inside-folder.ts';
import { matchesGlob } from '../matching.ts';
import type { PathContext, ReadablePath } from '../paths.ts';
import { isSecretName } from '../secret-names.ts';
import type { ExpandedWord, FoundFiles } from '../words.ts';

const MOST_ENTRIES = 10_000;

/**
 * Whether every file that a program may find below some folders is fit to be read by another one, name and contents. Of those that git
 * lists, whoever allows the command asks git.
 */
export function placeFound(found: FoundFiles, { disk, roots }: PathContext): ReadablePath {
  if (found.byGit !== undefined) return { paths: found.folders };
  if (disk === null) return { refused: 'which files are found is only known when it runs' };
  const real = [...roots, ...roots.flatMap((root) => disk.realpath(root) ?? [])];
  const left = found.folders.map((folder) => ({ folder, depth: 0, isSecret: false }));
  for (let entries = 0; left.length > 0;) {
    const { folder, depth, isSecret } = left.pop() ?? { folder: '/', depth: 0, isSecret: false };
    const within = disk.list(folder) ?? [];
    entries += within.length;
    if (entries > MOST_ENTRIES) return { refused: 'there are too many files to look at each' };
    for (const { name, kind } of within) {
      const path = posix.join(folder, name);
      if (found.splits?.test(name) === true) return { refused: `${path} would become other words` };
      if (found.dashed && depth === 0 && name.startsWith('-')) return { refused: `${name} would be an option` };
      if (kind === 'folder') left.push({ folder: path, depth: depth + 1, isSecret: isSecret || isSecretName(name) });
      const target = kind === 'link' && !found.onlyFiles ? disk.realpath(path) : path;
      if (found.names.length > 0 && !found.names.some((glob) => matchesGlob(glob, name))) continue;
      if (target === null || !real.some((root) => isInside(target, root)))
        return { refused: `${path} leads outside the workspace` };
      if (kind !== 'folder' && (isSecret || [name, posix.basename(target)].some(isSecretName)))
        return { refused: `${path} usually holds secrets` };
    }
  }
  return { paths: found.folders };
}

/** A list of names that the shell puts there: `$(git ls-files)`. It may be empty. */
export function isSubstituted({ found, inert }: ExpandedWord): boolean {
  return found !== undefined && inert === true;
}
