import { type Dirent, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

/**
 * A link inside the folders of a repository that leads out of them: git would read what is there, and shows some of it (`info/exclude`,
 * `packed-refs`, the steps of a rebase). Null: there is none. Objects are not looked through: what is not an object is not shown.
 */
export function linkLeadingOut(folders: ReadonlyArray<string>): string | null {
  const own = folders.map(realOf).filter((folder) => folder !== null);
  const waiting = [...new Set(own)];
  let seen = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of entriesOf(folder)) {
      const at = path.join(folder, entry.name);
      seen += 1;
      if (seen > MOST_ENTRIES || (entry.isSymbolicLink() && !leadsInto(at, own))) return at;
      if (entry.isDirectory() && !ELSEWHERE.test(at)) waiting.push(at);
    }
  }
  return null;
}

const MOST_ENTRIES = 100_000;
/** Objects, nested repositories, and what belongs to other programs. */
const ELSEWHERE = /\/(?:objects\/(?:[0-9a-f]{2}|pack)|modules|lfs|annex)$/;

function leadsInto(link: string, own: ReadonlyArray<string>): boolean {
  const real = realOf(link);
  return real !== null && own.some((folder) => real.startsWith(folder + path.sep));
}

function entriesOf(folder: string): ReadonlyArray<Dirent> {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function realOf(file: string): string | null {
  try {
    return realpathSync(file);
  } catch {
    return null;
  }
}
