import { posix } from 'node:path';
import { foldersOfGlob } from './globs.ts';
import { isInside } from './inside-folder.ts';
import { placeInside, type PathContext } from './paths.ts';
import type { ExpandedWord } from './words.ts';

const MOST_ENTRIES = 10_000;

/**
 * Why a program that follows links below a folder may leave the workspace; null when no link there leads out. A folder that a link leads
 * to inside the workspace is looked at as well. Without a disk words alone decide.
 */
export function whyLinksLeave(folder: string, { disk, roots }: PathContext): string | null {
  if (disk === null) return null;
  const real = [...roots, ...roots.flatMap((root) => disk.realpath(root) ?? [])];
  const seen = new Set<string>();
  const left = [disk.realpath(folder) ?? folder];
  for (let entries = 0; left.length > 0;) {
    const at = left.pop() ?? '';
    if (seen.has(at)) continue;
    seen.add(at);
    const found = disk.list(at) ?? [];
    entries += found.length;
    if (entries > MOST_ENTRIES) return `${folder} holds too many files to look for links that lead out`;
    for (const { name, kind } of found) {
      const path = posix.join(at, name);
      if (kind === 'folder') left.push(path);
      if (kind !== 'link') continue;
      const target = disk.realpath(path);
      if (target === null || !real.some((root) => isInside(target, root))) return `${path} leads outside the workspace`;
      left.push(target);
    }
  }
  return null;
}

/** Why the shell may leave the workspace to find the names that globs fit, whatever a program makes of these; null when it does not. */
export function whyGlobsLeave(
  words: ReadonlyArray<ExpandedWord>,
  cwds: ReadonlyArray<string>,
  pathContext: PathContext,
): string | null {
  for (const word of words.filter(({ glob }) => glob))
    for (const cwd of cwds) {
      const why = whyGlobLeaves(word, cwd, pathContext);
      if (why !== null) return why;
    }
  return null;
}

function whyGlobLeaves(word: ExpandedWord, cwd: string, pathContext: PathContext): string | null {
  const first = word.text.search(/[*?[]/);
  const folder = word.text.slice(0, word.text.lastIndexOf('/', Math.max(first, 0)) + 1);
  const placed = folder === '' ? null : placeInside({ ...word, glob: false, text: folder }, cwd, pathContext);
  if (placed !== null && 'refused' in placed) return placed.refused;
  if (/\/\.\.(?:\/|$)/.test(word.text.slice(folder.length))) return `${word.text} climbs`;
  const { disk, roots } = pathContext;
  if (disk === null) return null;
  const folders = foldersOfGlob(word.text, cwd, disk);
  if (folders === null) return `${word.text} fits too many files`;
  const real = [...roots, ...roots.flatMap((root) => disk.realpath(root) ?? [])];
  const left = folders.find((one) => one.real === null || !real.some((root) => isInside(one.real ?? '/', root)));
  return left === undefined ? null : `${left.text} leads outside the workspace`;
}
