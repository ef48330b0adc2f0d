import path from 'node:path';
import { resolveInside } from './resolve.ts';

/**
 * Checks for names that a walk found whether their folder really is where it says: one that became a link during the walk is foreign. Paths
 * are relative to the root.
 */
export function createStrangerCheck(root: string): (file: string) => boolean {
  const known = new Map<string, boolean>();
  return (file) => {
    const folder = path.dirname(file);
    const isStrange = known.get(folder) ?? !leadsToItself(root, folder);
    known.set(folder, isStrange);
    return isStrange;
  };
}

function leadsToItself(root: string, folder: string): boolean {
  try {
    return resolveInside(root, folder).real === path.join(root, folder);
  } catch {
    return false;
  }
}
