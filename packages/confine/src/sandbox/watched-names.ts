import { lstatSync, readdirSync, readlinkSync, renameSync, symlinkSync, unlinkSync } from 'node:fs';
import path from 'node:path';
import { newId } from '@attractor/base/id';

/**
 * Names that no mount can cover: a link (a mount would cover its target), or a missing name where git would stumble over a mask. They are
 * compared after a command has ended; a new file is moved aside and the old link restored. New links in `linkFree` folders are treated the
 * same.
 */
export type WatchedNames = { readonly restore: () => void };

export function watchNames(paths: ReadonlyArray<string>, linkFree: ReadonlyArray<string>): WatchedNames {
  const before = paths.map((at) => ({ at, link: linkOf(at) }));
  const links = new Set(linkFree.flatMap(linksIn));
  return {
    restore: () => {
      for (const { at, link } of before) if (linkOf(at) !== link) putBack(at, link);
      for (const at of linkFree.flatMap(linksIn)) if (!links.has(at)) removeLink(at);
    },
  };
}

function linksIn(folder: string): ReadonlyArray<string> {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isSymbolicLink()).map((entry) => path.join(folder, entry.name));
  } catch {
    return [];
  }
}

function removeLink(at: string): void {
  try {
    unlinkSync(at);
  } catch {
    // Already gone.
  }
}

/** Null: missing. Undefined: something that is no link. */
function linkOf(at: string): string | null | undefined {
  try {
    const stats = lstatSync(at, { throwIfNoEntry: false });
    if (stats === undefined) return null;
    return stats.isSymbolicLink() ? readlinkSync(at) : undefined;
  } catch {
    return null;
  }
}

function putBack(at: string, link: string | null | undefined): void {
  try {
    if (linkOf(at) !== null) renameSync(at, `${at}.${newId('refused')}`);
    if (typeof link === 'string') symlinkSync(link, at);
  } catch {
    // Somebody else is changing it: the next command compares again.
  }
}
