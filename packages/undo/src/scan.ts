import { accessSync, constants, lstatSync, readdirSync, rmSync, type Stats } from 'node:fs';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { isMissing } from '@attractor/system';
import { UndoError } from './failure.ts';
import { isExecutable, permissionsOf, type Modes } from './modes.ts';
import { absolutePath, ancestorsOf, unquotePath, type PathKey } from './path-bytes.ts';
import { writeExcludes, type Store } from './store.ts';

/** What is at a path now. `other`: a device, pipe or socket; `closed`: a file that we may not read. */
export type PathState = 'file' | 'link' | 'other' | 'closed' | 'gone';

/** A path that differs from the store's index. */
export type Candidate = {
  readonly path: PathKey;
  readonly tracked: boolean;
  readonly standing: PathState;
  readonly bytes: number;
  readonly permissions: number;
};

export type Scan = { readonly candidates: ReadonlyArray<Candidate>; readonly nested: ReadonlyArray<PathKey> };

export type ScanLimits = { readonly timeoutMs: number; readonly signal?: AbortSignal };

/** Files checked between two turns of the event loop: about a millisecond. */
const SLICE = 256;

/**
 * The differences from the store's index: one git process compares contents by its cache of sizes and times and finds new files by the
 * ignore rules; we compare the permission bits, which git does not store.
 */
export async function scan(store: Store, modes: Modes, patience: ScanLimits): Promise<Scan> {
  writeExcludes(store);
  const flags = ['--cached', '--modified', '--deleted', '--others', '--exclude-standard', '-t'];
  const listed = await list(store, ['ls-files', ...flags, '--', pathspec(store)], patience);
  const candidates: Candidate[] = [];
  const nested: PathKey[] = [];
  let looked = 0;
  for (const line of judgedLines(listed)) {
    if ((looked += 1) % SLICE === 0) await nextTurn();
    if (line.tag === '?' && line.path.endsWith('/')) {
      nested.push(line.path);
      continue;
    }
    const found = lookAt(store, line.path, line.tag !== '?');
    if (line.tag === 'H' ? hasOtherBits(found, modes) : found.tracked || found.standing !== 'gone') {
      candidates.push(isBeyondLink(store, found) ? { ...found, standing: 'gone' } : found);
    }
  }
  return { candidates, nested };
}

/** Devices, pipes and sockets in these folders. Git skips them silently; we don't. */
export function specialFilesIn(store: Store, folders: Iterable<PathKey>): PathKey[] {
  const found: PathKey[] = [];
  for (const folder of folders) {
    for (const entry of entriesOf(store, folder)) {
      if (entry.isFile() || entry.isDirectory() || entry.isSymbolicLink()) continue;
      const name = entry.name.toString('latin1');
      found.push(folder === '' ? name : `${folder}/${name}`);
    }
  }
  return found;
}

/** The current path, whatever the index says. */
export function lookAt(store: Store, path: PathKey, tracked: boolean): Candidate {
  const file = absolutePath(store.roots.root, path);
  const stats = lstatOr(file);
  if (typeof stats === 'string') return { path, tracked, standing: stats, bytes: 0, permissions: 0 };
  return { path, tracked, standing: standingOf(file, stats), bytes: stats.size, permissions: stats.mode & 0o7777 };
}

/** The index is only a cache of the files: a damaged one is rebuilt. */
async function list(store: Store, args: ReadonlyArray<string>, patience: ScanLimits): Promise<string> {
  try {
    return await store.git(args, patience);
  } catch (error) {
    const index = path.join(store.gitDir, 'index');
    const isDamaged = error instanceof UndoError && (error.code === 'damaged' || error.message.includes(index));
    if (!isDamaged) throw error;
    rmSync(index, { force: true });
    return store.git(args, patience);
  }
}

function pathspec({ roots }: Store): string {
  return roots.prefix === '' ? '.' : `:(literal)${roots.prefix}`;
}

type Line = { readonly tag: string; readonly path: PathKey };

/** A tracked path is listed once as `H`, and again right after as `R` or `C` if it was removed or changed: the last entry counts. */
function* judgedLines(listed: string): Generator<Line> {
  let held: Line | null = null;
  for (let from = 0, to = 0; from < listed.length; from = to + 1) {
    to = listed.indexOf('\n', from);
    if (to < 0) to = listed.length;
    const line = { tag: listed.charAt(from), path: unquotePath(listed.slice(from + 2, to)) };
    if (held !== null && held.path !== line.path) yield held;
    held = line;
  }
  if (held !== null) yield held;
}

function standingOf(file: Buffer, stats: Stats): PathState {
  if (stats.isDirectory()) return 'gone';
  if (stats.isSymbolicLink()) return 'link';
  if (!stats.isFile()) return 'other';
  if ((stats.mode & 0o444) === 0o444) return 'file';
  try {
    accessSync(file, constants.R_OK);
    return 'file';
  } catch {
    return 'closed';
  }
}

/** A folder became a link: what is found under a stored name is another file, of another name. */
function isBeyondLink({ roots }: Store, { path: key, tracked }: Candidate): boolean {
  const isLink = (folder: PathKey): boolean => {
    const stats = lstatOr(absolutePath(roots.root, folder));
    return typeof stats !== 'string' && stats.isSymbolicLink();
  };
  return tracked && ancestorsOf(key).some(isLink);
}

function hasOtherBits({ path, standing, permissions }: Candidate, modes: Modes): boolean {
  if (standing === 'closed') return true;
  return standing === 'file' && permissions !== permissionsOf(modes, path, isExecutable(permissions));
}

function lstatOr(file: Buffer): Stats | 'gone' | 'closed' {
  try {
    return lstatSync(file);
  } catch (error) {
    return isMissing(error) ? 'gone' : 'closed';
  }
}

function entriesOf(store: Store, folder: PathKey) {
  try {
    return readdirSync(absolutePath(store.roots.root, folder), { withFileTypes: true, encoding: 'buffer' });
  } catch {
    return [];
  }
}
