import { watch, type FSWatcher } from 'node:fs';

/**
 * Tells of every change right in one of its folders. The system limits how many a user may watch, and each costs memory: a folder that
 * is one too many is not watched, and `add` says so.
 */
export type FolderWatches = {
  readonly add: (folder: string) => boolean;
  readonly has: (folder: string) => boolean;
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
  const watches = new Map<string, FSWatcher>();
  const drop = (folder: string): void => {
    const watcher = watches.get(folder);
    if (watcher === undefined) return;
    watches.delete(folder);
    watching -= 1;
    watcher.close();
  };
  return {
    has: (folder) => watches.has(folder),
    add: (folder) => {
      if (watches.has(folder)) return true;
      if (watches.size >= MOST || watching >= MOST_OF_ALL) return false;
      try {
        const watcher = watch(folder, { persistent: false }, (kind, name) => onChange(folder, kind, name));
        watcher.on('error', () => drop(folder));
        watches.set(folder, watcher);
        watching += 1;
        return true;
      } catch {
        return false;
      }
    },
    keepOnly: (folders) => {
      for (const folder of watches.keys()) if (!folders.has(folder)) drop(folder);
    },
    drop,
    close: () => {
      for (const folder of watches.keys()) drop(folder);
    },
  };
}
