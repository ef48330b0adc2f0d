import { type Dirent, readdirSync } from 'node:fs';

/** Nothing where the folder is not there, or may not be read. */
export function entriesOf(folder: string): ReadonlyArray<Dirent> {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** The same, by name only. */
export function namesIn(folder: string): ReadonlyArray<string> {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
