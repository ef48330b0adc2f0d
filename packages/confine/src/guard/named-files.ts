import path from 'node:path';
import { targetAt } from '../containment/list-folder.ts';
import { type Named, namedAt } from './survey.ts';

/**
 * What settings of git name, as it was when it was taken. What is there is held by a mount, so it is another one only where the folder
 * around it is, or where a link was put in its place; a person may write it anew meanwhile.
 */
export type NamedFiles = {
  /** Only what is not known yet. */
  readonly take: (at: string) => void;
  readonly has: (at: string) => boolean;
  readonly all: () => ReadonlyArray<string>;
  readonly absent: () => ReadonlyArray<string>;
  /** What was there; undefined where nothing was, or it is not known. */
  readonly before: (at: string) => Named | undefined;
  readonly isAsBefore: (at: string) => boolean;
  readonly clear: () => void;
};

type Taken = { readonly named: Named | null; readonly folder: string };

export function createNamedFiles(): NamedFiles {
  const files = new Map<string, Taken>();
  return {
    take: (at) => {
      if (!files.has(at)) files.set(at, { named: namedAt(at), folder: folderAround(at) });
    },
    has: (at) => files.has(at),
    all: () => [...files.keys()],
    absent: () => [...files].filter(([, { named }]) => named === null).map(([at]) => at),
    before: (at) => files.get(at)?.named ?? undefined,
    isAsBefore: (at) => {
      const before = files.get(at);
      if (before === undefined) return false;
      const now = namedAt(at);
      if (before.named === null) return now === null;
      // A link that is gone comes back; of what else is gone nothing is left to obey.
      if (now === null) return before.named.link === null;
      return before.folder === folderAround(at) && before.named.link === now.link;
    },
    clear: () => files.clear(),
  };
}

function folderAround(at: string): string {
  const stats = targetAt(path.dirname(at));
  return stats === undefined ? '' : `${stats.dev}:${stats.ino}:${stats.birthtimeMs}`;
}
