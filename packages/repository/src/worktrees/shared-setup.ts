import { randomUUID } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import { cp, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';

/** In our home, with a folder for each project. */
export const SETUPS = 'setups';

/** Where folders that a set-up made are kept for later worktrees; never in one, so that no agent can change them. */
export type SharedSetup = {
  readonly store: string;
  /** Names everything that the set-up depends on. */
  readonly key: string;
  readonly worktree: string;
  /** Below the worktree. */
  readonly folders: ReadonlyArray<string>;
};

/** Of other states of a project's lock files; the one that was not used for longest goes. */
const MOST_KEPT = 3;

/** Copies what an earlier set-up made. False, and nothing done, where there is none, or where some of it is here already. */
export async function takeShared(shared: SharedSetup): Promise<boolean> {
  const { store, key, worktree, folders } = shared;
  const kept = join(store, key);
  const isKept = await stat(kept).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isKept || folders.length === 0 || folders.some((folder) => !isFree(worktree, folder))) return false;
  for (const [index, folder] of folders.entries()) {
    const to = join(worktree, folder);
    await mkdir(dirname(to), { recursive: true });
    await copy(join(kept, String(index)), to);
  }
  const now = new Date();
  await utimes(kept, now, now).catch(() => undefined);
  return true;
}

/** Keeps copies of what a set-up has just made, whole or not at all. Without room, or with a folder missing, nothing is kept. */
export async function keepShared({ store, key, worktree, folders }: SharedSetup): Promise<void> {
  if (folders.length === 0 || folders.some((folder) => !isInWorktree(worktree, folder))) return;
  const draft = join(store, `.${randomUUID()}`);
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    for (const [index, folder] of folders.entries()) await copy(join(worktree, folder), join(draft, String(index)));
    await rename(draft, join(store, key));
    await dropOldest(store);
  } catch {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function dropOldest(store: string): Promise<void> {
  const names = (await readdir(store)).filter((name) => !name.startsWith('.'));
  const aged = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(store, name))).mtimeMs })));
  const old = aged.toSorted((one, other) => other.at - one.at).slice(MOST_KEPT);
  for (const { name } of old) await rm(join(store, name), { recursive: true, force: true });
}

/** Links stay links. Where the file system can, both share their blocks until one of them is changed. */
function copy(from: string, to: string): Promise<void> {
  const mode = constants.COPYFILE_FICLONE;
  return cp(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true, mode, errorOnExist: true });
}

/** A folder of its own below the worktree, reached through no link. */
function isInWorktree(worktree: string, folder: string): boolean {
  return isBelow(folder) && placesOf(worktree, folder).every((at) => kindOf(at) === 'folder');
}

function isFree(worktree: string, folder: string): boolean {
  const places = isBelow(folder) ? placesOf(worktree, folder) : [];
  return kindOf(places.at(-1) ?? worktree) === 'none' && places.every((at) => ['none', 'folder'].includes(kindOf(at)));
}

function isBelow(folder: string): boolean {
  const names = folder.split('/');
  return normalize(folder) === folder && !['', '.', '..', '.git'].some((name) => names.includes(name));
}

function placesOf(worktree: string, folder: string): ReadonlyArray<string> {
  const names = folder.split('/');
  return names.map((_, index) => join(worktree, ...names.slice(0, index + 1)));
}

function kindOf(path: string): 'none' | 'folder' | 'other' {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return 'none';
  return found.isDirectory() ? 'folder' : 'other';
}
