import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Where a `.git` leads: it is a folder itself, or a file that names one. Empty: still being written, and git follows it nowhere. Null:
 * it can't be said.
 */
export function gitFileLeads(at: string): string | null {
  try {
    const stats = lstatSync(at);
    if (stats.isDirectory()) return 'folder';
    if (!stats.isFile() || stats.nlink > 1) return null;
    const text = readFileSync(at, 'utf8');
    if (text === '') return 'empty';
    // All of it: so does git.
    const [, named] = /^gitdir: ([^\n\0]+)\n?$/.exec(text) ?? [];
    return named === undefined ? null : path.resolve(path.dirname(at), named);
  } catch {
    return null;
  }
}
