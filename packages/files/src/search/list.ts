import { readdir, lstat } from 'node:fs/promises';
import { environmentError, EnvironmentError } from '@attractor/system';
import type { DirEntry } from '../file-operations.ts';
import { anchorBelow, type AnchoredFolder, anchorToRead, resolveInside } from '@attractor/confine';

const MAX_ENTRIES = 10_000;

/** The entries of a folder, sorted; deeper ones have names like `sub/file`. Links are listed and never followed. */
export async function listEntries(root: string, asked: string, depth: number): Promise<ReadonlyArray<DirEntry>> {
  const { real, stats } = resolveInside(root, asked);
  if (stats !== null && !stats.isDirectory()) {
    throw new EnvironmentError({ code: 'not_a_directory', message: `${asked} is not a folder.` });
  }
  try {
    const folder = anchorToRead(root, real);
    try {
      const entries: DirEntry[] = [];
      await collect({ root, folder, prefix: '', depth, entries });
      return entries;
    } finally {
      folder.close();
    }
  } catch (error) {
    throw environmentError(error, asked);
  }
}

type Visit = {
  readonly root: string;
  readonly folder: AnchoredFolder;
  readonly prefix: string;
  readonly depth: number;
  readonly entries: DirEntry[];
};

async function collect(visit: Visit): Promise<void> {
  const found = await readdir(visit.folder.at, { withFileTypes: true });
  for (const entry of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (visit.entries.length >= MAX_ENTRIES) return;
    const name = visit.prefix + entry.name;
    const isDir = entry.isDirectory();
    const size = entry.isFile() ? await sizeOf(`${visit.folder.at}/${entry.name}`) : null;
    visit.entries.push({ name, isDir, size });
    if (isDir && visit.depth > 1) await descend(visit, entry.name);
  }
}

/** A folder that disappeared, may not be entered or became a link meanwhile stays a name in the list. */
async function descend(visit: Visit, name: string): Promise<void> {
  const folder = heldOrNull(visit, name);
  if (folder === null) return;
  try {
    await collect({ ...visit, folder, prefix: `${visit.prefix}${name}/`, depth: visit.depth - 1 });
  } finally {
    folder.close();
  }
}

function heldOrNull(visit: Visit, name: string): AnchoredFolder | null {
  try {
    return anchorBelow(visit.root, visit.folder, name);
  } catch {
    return null;
  }
}

async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await lstat(file)).size;
  } catch {
    return null;
  }
}
