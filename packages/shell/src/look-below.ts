import { posix } from 'node:path';
import { isInside } from './inside-folder.ts';
import { type PathContext } from './paths.ts';

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
