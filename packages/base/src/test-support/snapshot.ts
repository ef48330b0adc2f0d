import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import path from 'node:path';

/** Every name below a folder with its inode, mode, change times and content. Equal snapshots: nothing was touched. */
export function exactSnapshot(folder: string, found: Record<string, string> = {}): Record<string, string> {
  for (const name of readdirSync(folder).toSorted()) {
    const file = path.join(folder, name);
    const stats = lstatSync(file, { bigint: true });
    found[file] = `${stats.ino} ${stats.mode} ${stats.mtimeNs} ${contentOf(file, stats)}`;
    if (stats.isDirectory()) exactSnapshot(file, found);
  }
  return found;
}

function contentOf(file: string, stats: { isFile: () => boolean; isSymbolicLink: () => boolean }): string {
  if (stats.isFile()) return readFileSync(file, 'latin1');
  return stats.isSymbolicLink() ? readlinkSync(file) : '';
}
