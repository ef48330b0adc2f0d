import { existsSync, lstatSync, readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { HOME_NAMES, PROTECTED_NAMES, RARE_NAMES } from '../containment/protected-names.ts';
import { gitMounts, type GitMounts } from './git-mounts.ts';
import type { Mount } from './mounts.ts';

/**
 * The protected names of one writable folder. `masked` mounts need an empty folder on the host as mount point; `watched` are names that no
 * mount can cover, because they are missing or links: they are checked after a command has ended.
 */
export type ProtectedNames = {
  readonly mounts: ReadonlyArray<Mount>;
  readonly watched: ReadonlyArray<string>;
  /** Git folders in which no new link may appear. */
  readonly linkFree: ReadonlyArray<string>;
};

/** How far below the root protected names are searched, and in how many folders. */
const DEPTH = 3;
const MAX_FOLDERS = 2_000;
/** Every mount costs time. The nearest come first. */
const MAX_NESTED = 64;
/** Nothing in there is obeyed by a program that is started elsewhere. */
const PASSED_OVER = new Set(['node_modules', 'target', 'dist', 'build', 'vendor', '.venv', 'venv', '__pycache__']);

export type ProtectOptions = {
  readonly homes: ReadonlyArray<string>;
  /** Existing names below the root. Absent ones are masked at the root only: packages have their own editor settings. */
  readonly nested: ReadonlyArray<string>;
  /** A folder that exists as the mount point of a mask. */
  readonly isOurs: (folder: string) => boolean;
};

export function protectedMounts(root: string, { homes, nested, isOurs }: ProtectOptions): ProtectedNames {
  const there = new Map(entriesOf(root).map((entry) => [entry.name, entry]));
  const mounts: Mount[] = [];
  const watched: string[] = [];
  const linkFree: string[] = [];
  for (const name of PROTECTED_NAMES) {
    const at = path.join(root, name);
    const entry = there.get(name);
    if (entry === undefined || (entry.isDirectory() && (isOurs(at) || isPlaceholder(at)))) {
      if (RARE_NAMES.has(name)) watched.push(at);
      else if (!HOME_NAMES.has(name) || homes.includes(root)) mounts.push({ at, as: 'masked' });
    } else if (entry.isSymbolicLink()) watched.push(at);
    else if (name === '.git') add(gitMounts(root), { mounts, watched, linkFree });
    else mounts.push({ at, as: 'read-only' });
  }
  for (const at of nested.filter((each) => existsSync(each))) {
    if (path.basename(at) === '.git') mounts.push(...gitMounts(path.dirname(at)).mounts);
    else mounts.push({ at, as: 'read-only' });
  }
  return { mounts, watched, linkFree };
}

type Collected = { readonly mounts: Mount[]; readonly watched: string[]; readonly linkFree: string[] };

function add(git: GitMounts, to: Collected): void {
  to.mounts.push(...git.mounts);
  to.watched.push(...git.absent);
  to.linkFree.push(...git.linkFree);
}

/** Existing protected files and folders below the root, not at it. Bounded: a repository of any size costs a few milliseconds. */
export function findNestedNames(root: string): ReadonlyArray<string> {
  const found: string[] = [];
  let layer = [root];
  let looked = 0;
  for (let depth = 0; depth <= DEPTH && layer.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of layer) {
      if (++looked > MAX_FOLDERS || found.length >= MAX_NESTED) return found;
      for (const entry of entriesOf(folder)) {
        const at = path.join(folder, entry.name);
        if (PROTECTED_NAMES.has(entry.name.toLowerCase())) {
          if (depth > 0 && (entry.isDirectory() || entry.isFile())) found.push(at);
        } else if (entry.isDirectory() && !PASSED_OVER.has(entry.name)) next.push(at);
      }
    }
    layer = next;
  }
  return found;
}

/** Nobody else makes a folder with these bits: read-only, and sticky. It is ours, and masked while commands run. */
export const PLACEHOLDER_MODE = 0o1555;

export function isPlaceholder(file: string): boolean {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && (stats.mode & 0o7777) === PLACEHOLDER_MODE && entriesOf(file).length === 0;
}

function entriesOf(folder: string): ReadonlyArray<Dirent> {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
