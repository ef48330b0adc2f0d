import { readdir, lstat } from 'node:fs/promises';
import { EnvironmentError, type DirEntry } from '../types/index.ts';
import { anchorFolder } from '../containment/anchor.ts';
import { resolveInside } from '../containment/resolve.ts';
import { environmentError } from './errno.ts';

const MAX_ENTRIES = 10_000;

/** The entries of a folder, sorted; deeper ones have names like `sub/file`. Links are listed and never followed. */
export async function listEntries(root: string, asked: string, depth: number): Promise<ReadonlyArray<DirEntry>> {
  const { real, stats } = resolveInside(root, asked);
  if (stats !== null && !stats.isDirectory()) {
    throw new EnvironmentError({ code: 'not_a_directory', message: `${asked} is not a folder.` });
  }
  try {
    const folder = anchorFolder(root, real);
    try {
      const entries: DirEntry[] = [];
      await collect({ at: folder.at, prefix: '', depth, entries });
      return entries;
    } finally {
      folder.close();
    }
  } catch (error) {
    throw environmentError(error, asked);
  }
}

type Visit = { readonly at: string; readonly prefix: string; readonly depth: number; readonly entries: DirEntry[] };

async function collect(visit: Visit): Promise<void> {
  const found = await readdir(visit.at, { withFileTypes: true });
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (visit.entries.length >= MAX_ENTRIES) return;
    const at = `${visit.at}/${entry.name}`;
    const name = visit.prefix + entry.name;
    const isDir = entry.isDirectory();
    visit.entries.push({ name, isDir, size: entry.isFile() ? await sizeOf(at) : null });
    if (isDir && visit.depth > 1) await collect({ ...visit, at, prefix: `${name}/`, depth: visit.depth - 1 });
  }
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await lstat(file)).size;
  } catch {
    return null;
  }
}
