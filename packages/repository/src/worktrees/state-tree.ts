import { lstat, readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { done } from '@attractor/base';
import { refuse, type Result } from '@attractor/store';
import { type Objects, writeObject, writeTree } from '../git/write-object.ts';

type StateFile = { readonly path: string; readonly bytes: number; readonly changed: number };

const MAX_STATE_BYTES = 64_000_000;

/** An agent's own folder as a tree, byte for byte: no filters and no conversion of line endings. */
export async function stateTree(objects: Objects, statePath: string): Promise<Result<string>> {
  const files = await listState(statePath);
  const size = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (size > MAX_STATE_BYTES)
    return refuse('unavailable', `The agent's own folder is too large to be carried (${size} bytes).`);
  const blobs = new Map<string, string>();
  for (const { path } of files)
    blobs.set(relative(statePath, path), await writeObject(objects, 'blob', await readFile(path)));
  return done(await writeTree(objects, blobs));
}

/** Plain files only; locks belong to processes of this machine. */
export async function listState(folder: string): Promise<ReadonlyArray<StateFile>> {
  const found: StateFile[] = [];
  for (const name of (await readdir(folder).catch((): string[] => [])).toSorted()) {
    const path = join(folder, name);
    const stats = await lstat(path).catch(() => null);
    if (stats === null || /[\n\0]/.test(name) || /\.lock(?:\.|$)/.test(name)) continue;
    if (stats.isDirectory()) found.push(...(await listState(path)));
    else if (stats.isFile()) found.push({ path, bytes: stats.size, changed: stats.mtimeMs });
  }
  return found;
}
