import { lstatSync, readlinkSync, type Dirent } from 'node:fs';
import path from 'node:path';
import { isProtectedName } from '../containment/path-rules.ts';
import { HOME_NAMES } from '../containment/protected-names.ts';
import { entriesWithin } from './closed-folders.ts';

/** What of the folders that commands may write to is obeyed by programs outside, as it is now. */
export type Survey = {
  /** The roots and what is below them, as far as it was looked at: the nearest first. */
  readonly folders: ReadonlySet<string>;
  /** Protected names that are there. */
  readonly names: ReadonlyMap<string, Named>;
  /** Folders of git's that have no protected name: they look like one from inside. */
  readonly bare: ReadonlySet<string>;
};

/** `file` is the same only for the same file, also after the system gave its number to another. `link`: where it leads, of a link. */
export type Named = { readonly file: string; readonly link: string | null };

/** A repository of any size costs a few milliseconds. */
const MAX_FOLDERS = 800;
const MAX_DEPTH = 8;
/** Nothing in there is obeyed by a program that is started elsewhere. */
const PASSED_OVER = new Set(['node_modules', 'target', 'dist', 'build', 'vendor', '.venv', 'venv', '__pycache__']);

/** A name that a program outside obeys in this folder. */
export function isObeyed(folder: string, name: string, homes: ReadonlyArray<string>): boolean {
  return isProtectedName(name) && (!HOME_NAMES.has(name.toLowerCase()) || homes.includes(folder));
}

/** Whether what is in a folder of this name matters. */
export function isLookedInto(name: string): boolean {
  return !PASSED_OVER.has(name);
}

export function surveyFolders(tops: ReadonlyArray<string>): Survey {
  const folders = new Set<string>();
  const names = new Map<string, Named>();
  const bare = new Set<string>();
  let layer = tops;
  for (let depth = 0; depth <= MAX_DEPTH && layer.length > 0; depth++) {
    const next: string[] = [];
    for (const folder of layer) {
      if (folders.size >= MAX_FOLDERS) return { folders, names, bare };
      const { found, below, isBare } = lookAt(folder);
      folders.add(folder);
      for (const [at, named] of found) names.set(at, named);
      if (isBare) bare.add(folder);
      else next.push(...below);
    }
    layer = next;
  }
  return { folders, names, bare };
}

export type Look = {
  readonly found: ReadonlyArray<readonly [at: string, named: Named]>;
  readonly below: ReadonlyArray<string>;
  readonly isBare: boolean;
};

/** One folder: the protected names in it, and the folders below that matter. */
export function lookAt(folder: string): Look {
  const found: (readonly [string, Named])[] = [];
  const below: string[] = [];
  const entries = entriesWithin(folder, 'for a moment');
  for (const entry of entries) {
    const at = path.join(folder, entry.name);
    if (isProtectedName(entry.name)) {
      const named = namedAt(at);
      if (named !== null) found.push([at, named]);
    } else if (entry.isDirectory() && isLookedInto(entry.name)) below.push(at);
  }
  return { found, below, isBare: isGitFolder(entries) };
}

/** The least that git asks of a folder to take it for its own. */
function isGitFolder(entries: ReadonlyArray<Dirent>): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => entries.some((entry) => entry.name === name));
}

/** Null: nothing there. */
export function namedAt(at: string): Named | null {
  try {
    const stats = lstatSync(at, { throwIfNoEntry: false, bigint: true });
    if (stats === undefined) return null;
    return {
      file: `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`,
      link: stats.isSymbolicLink() ? readlinkSync(at) : null,
    };
  } catch {
    return null;
  }
}
