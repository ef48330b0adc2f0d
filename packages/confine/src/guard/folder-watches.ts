import { watch, type FSWatcher } from 'node:fs';
import { canBeEntered, inOpened, isDenied } from './closed-folders.ts';
import { namedAt } from './survey.ts';

/**
 * Tells of every change right in one of its folders. The system limits how many a user may watch, and each costs memory: a folder that
 * is one too many is not watched, and `add` says so. The kernel watches a folder, not its path: one that was removed and made anew is
 * another one, of which nothing is told.
 */
export type FolderWatches = {
  readonly add: (folder: string) => boolean;
  /** Whether what is at this path now is watched. */
  readonly has: (folder: string) => boolean;
  /** Whether what was at this path is watched, and something else is there now. */
  readonly isStale: (folder: string) => boolean;
  /** Whether it was not watched because nobody can get into it: nothing in there is obeyed until that changes. */
  readonly isShut: (folder: string) => boolean;
  /** Stops watching all others. */
  readonly keepOnly: (folders: ReadonlySet<string>) => void;
  readonly drop: (folder: string) => void;
  readonly close: () => void;
};

/** `name` null: something in that folder, it is not known what. */
export type FolderChange = (folder: string, kind: 'rename' | 'change', name: string | null) => void;

/** Of one sandbox, and of all in one process. */
const MOST = 1_000;
const MOST_OF_ALL = 8_000;
let watching = 0;

export function createFolderWatches(onChange: FolderChange): FolderWatches {
  const watches = new Map<string, Watch>();
  const shut = new Set<string>();
  const drop = (folder: string): void => {
    const watch = watches.get(folder);
    if (watch === undefined) return;
    watches.delete(folder);
    watching -= 1;
    watch.watcher.close();
  };
  const isStale = (folder: string): boolean => {
    const before = watches.get(folder);
    return before !== undefined && before.file !== fileAt(folder);
  };
  return {
    has: (folder) => watches.has(folder) && !isStale(folder),
    isStale,
    isShut: (folder) => shut.has(folder),
    add: (folder) => {
      if (isStale(folder)) drop(folder);
      if (watches.has(folder)) return true;
      if (watches.size >= MOST || watching >= MOST_OF_ALL) return false;
      try {
        const file = fileAt(folder);
        const watcher = watchOpened(folder, onChange);
        if (watcher === null) {
          if (!canBeEntered(folder)) shut.add(folder);
          return false;
        }
        shut.delete(folder);
        watcher.on('error', () => drop(folder));
        watches.set(folder, { watcher, file });
        watching += 1;
        return true;
      } catch {
        return false;
      }
    },
    keepOnly: (folders) => {
      for (const folder of watches.keys()) if (!folders.has(folder)) drop(folder);
      shut.clear();
    },
    drop,
    close: () => {
      for (const folder of watches.keys()) drop(folder);
    },
  };
}

/** `file`: which folder was at the path just before it was watched, so that one that was swapped meanwhile counts as another. */
type Watch = { readonly watcher: FSWatcher; readonly file: string | null };

/** The kernel asks for the permission to list it once. */
function watchOpened(folder: string, onChange: FolderChange): FSWatcher | null {
  const begin = (at: string): FSWatcher =>
    watch(at, { persistent: false }, (kind, name) => onChange(folder, kind, name));
  try {
    return begin(folder);
  } catch (error) {
    return isDenied(error) ? inOpened(folder, 'for a moment', begin) : null;
  }
}

function fileAt(folder: string): string | null {
  return namedAt(folder)?.file ?? null;
}
