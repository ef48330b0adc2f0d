import { readdirSync, type Dirent } from 'node:fs';
import path from 'node:path';

/** Everything below a folder, without following links: `readdirSync` itself goes round in circles that they make. */
export function entriesBelow(folder: string): ReadonlyArray<Dirent> {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => [
    entry,
    ...(entry.isDirectory() ? entriesBelow(path.join(folder, entry.name)) : []),
  ]);
}
