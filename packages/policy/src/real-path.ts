import path from 'node:path';
import { type ResolvedPath, resolveInside } from '@attractor/confine';

/**
 * A path as requested and as resolved, link by link. `real` is null if that is unknown (a loop of links, a folder that can't be entered):
 * then nothing about it is allowed without asking.
 */
export type PathForms = {
  readonly asked: string;
  readonly real: string | null;
  readonly kind: 'file' | 'folder';
};

export function pathForms(cwd: string, asked: string): PathForms {
  const absolute = path.isAbsolute(asked) ? asked : `${cwd}/${asked}`;
  const found = lookAt(absolute);
  const kind = found?.stats?.isDirectory() === true ? 'folder' : 'file';
  return { asked: path.resolve(absolute), real: found?.real ?? null, kind };
}

/** A missing path keeps its name below the deepest existing folder. */
export function realPathOf(absolute: string): string | null {
  return lookAt(absolute)?.real ?? null;
}

function lookAt(absolute: string): ResolvedPath | null {
  try {
    return resolveInside('/', absolute.replace(/(?<=.)\/+$/, ''));
  } catch {
    return null;
  }
}
