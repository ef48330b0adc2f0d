import { lstatSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { done } from '@attractor/base';
import type { Result } from '@attractor/store';
import { git } from '../git/repository.ts';

/** A file in git's words: its mode and the hash of its content. */
export type FileState = { readonly mode: string; readonly blob: string };

/** One file of the way from a commit to another; null where it is absent. */
export type ChangedFile = {
  readonly path: string;
  readonly old: FileState | null;
  readonly new: FileState | null;
};

export type Step = { readonly from: string; readonly to: string };

export async function changedFiles(folder: string, { from, to }: Step): Promise<Result<ReadonlyArray<ChangedFile>>> {
  const args = ['diff-tree', '-r', '-z', '--no-renames', '--raw', '--no-abbrev', '--end-of-options', from, to];
  const read = await git(args, { cwd: folder, maxOutputBytes: MAX_LISTED });
  if (!read.ok) return read;
  const parts = read.value.split('\0');
  const files: ChangedFile[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [oldMode = '', newMode = '', oldBlob = '', newBlob = ''] = (parts[at] ?? '').slice(1).split(' ');
    files.push({ path: parts[at + 1] ?? '', old: stateOf(oldMode, oldBlob), new: stateOf(newMode, newBlob) });
  }
  return done(files);
}

const MAX_LISTED = 256 << 20;

function stateOf(mode: string, blob: string): FileState | null {
  return mode === '000000' ? null : { mode, blob };
}

export function isSame(one: FileState | null, other: FileState | null): boolean {
  return one?.blob === other?.blob && one?.mode === other?.mode;
}

/** What has this path in a checkout. Where a file or a link stands for a folder on the way, there is nothing behind it. */
export function entryAt(folder: string, path: string): Stats | undefined {
  const names = path.split('/');
  for (const at of names.keys()) {
    const stats = lstatSync(join(folder, ...names.slice(0, at + 1)), { throwIfNoEntry: false });
    if (stats === undefined || at === names.length - 1) return stats;
    if (!stats.isDirectory()) return undefined;
  }
  return undefined;
}

/** What stands on disk; `undefined` if it is neither a file nor a link, such as a folder. */
export async function stateOnDisk(folder: string, path: string): Promise<FileState | null | undefined> {
  const full = join(folder, path);
  const stats = entryAt(folder, path);
  if (stats === undefined) return null;
  if (stats.isSymbolicLink()) {
    const hashed = await git(['hash-object', '--stdin'], { cwd: folder, stdin: readlinkSync(full) });
    return hashed.ok ? { mode: '120000', blob: hashed.value } : undefined;
  }
  if (!stats.isFile()) return undefined;
  const hashed = await git(['hash-object', '--', path], { cwd: folder });
  return hashed.ok ? { mode: (stats.mode & 0o100) === 0 ? '100644' : '100755', blob: hashed.value } : undefined;
}

/** What the index has of these files. */
export async function statesInIndex(
  folder: string,
  paths: ReadonlyArray<string>,
): Promise<Result<ReadonlyMap<string, FileState>>> {
  const states = new Map<string, FileState>();
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const some = paths.slice(at, at + PATHS_AT_ONCE).map((path) => `:(top,literal)${path}`);
    const listed = await git(['ls-files', '--stage', '--full-name', '-z', '--', ...some], { cwd: folder });
    if (!listed.ok) return listed;
    for (const line of listed.value.split('\0').filter((entry) => entry !== '')) {
      const [mode = '', blob = ''] = line.split(' ');
      states.set(line.slice(line.indexOf('\t') + 1), { mode, blob });
    }
  }
  return done(states);
}

/** So that a command line never becomes too long. */
const PATHS_AT_ONCE = 200;
