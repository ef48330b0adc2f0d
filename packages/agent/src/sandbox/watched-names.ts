import { lstatSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { newId } from '../id.ts';

/**
 * Names that no mount can hold: a link (a mount would lie on what it leads to), or nothing at all where git would stumble over
 * a mask. They are compared when a command has ended; what is new there is moved aside and the old link put back.
 */
export type WatchedNames = { readonly restore: () => ReadonlyArray<string> };

export function watchNames(paths: ReadonlyArray<string>): WatchedNames {
  const before = paths.map((at) => ({ at, link: linkOf(at) }));
  return {
    restore: () =>
      before.flatMap(({ at, link }) => {
        if (linkOf(at) === link) return [];
        return putBack(at, link) ? [at] : [];
      }),
  };
}

/** Null: nothing there. Undefined: something that is no link. */
function linkOf(at: string): string | null | undefined {
  try {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    return stats.isSymbolicLink() ? readlinkSync(at) : undefined;
  } catch {
    return null;
  }
}

function putBack(at: string, link: string | null | undefined): boolean {
  try {
    if (linkOf(at) !== null) renameSync(at, `${at}.${newId('refused')}`);
    if (typeof link === 'string') symlinkSync(link, at);
    return true;
  } catch {
    return false;
  }
}
