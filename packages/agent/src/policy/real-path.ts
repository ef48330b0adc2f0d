import { lstatSync } from 'node:fs';
import path from 'node:path';
import { resolveInside } from '../containment/resolve.ts';

/**
 * A path as it was asked for and as it really is, link by link. `real` is null when that can't be told (a loop of links, a folder
 * that can't be entered): then nothing about it is allowed unasked.
 */
export type PathForms = {
  readonly asked: string;
  readonly real: string | null;
  readonly kind: 'file' | 'folder';
};

export function pathForms(cwd: string, asked: string): PathForms {
  const absolute = path.isAbsolute(asked) ? asked : `${cwd}/${asked}`;
  const real = realPathOf(absolute);
  return { asked: path.resolve(absolute), real, kind: real !== null && isFolder(real) ? 'folder' : 'file' };
}

/** What is not there yet keeps its name below the deepest folder that is. */
export function realPathOf(absolute: string): string | null {
  try {
    return resolveInside('/', absolute.replace(/(?<=.)\/+$/, '')).real;
  } catch {
    return null;
  }
}

function isFolder(real: string): boolean {
  try {
    return lstatSync(real, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
