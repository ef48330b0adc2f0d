import { posix } from 'node:path';
import type { Disk } from './disk.ts';

/**
 * The file that a program opens for a path: the kernel goes from name to name, and `..` behind a link leaves what the link leads to. Where
 * that is no other place than the words say, their path. Without a disk the words decide. Null: it can't be told.
 */
export function kernelPath(text: string, cwd: string, disk: Disk | null): string | null {
  const path = posix.resolve(cwd, text);
  if (disk === null || !CLIMBS.test(text)) return path;
  const real = walkLinks(posix.isAbsolute(text) ? text : `${cwd}/${text}`, disk.realpath);
  return real !== null && disk.realpath(path) === real ? path : real;
}

const CLIMBS = /(?:^|\/)\.\.(?:\/|$)/;

/** Null where it can't be told. */
export function walkLinks(path: string, realpath: Disk['realpath']): string | null {
  let at = '/';
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue;
    if (name === '..') at = posix.dirname(at);
    else {
      const next = realpath(posix.join(at, name));
      if (next === null) return null;
      at = next;
    }
  }
  return at;
}
