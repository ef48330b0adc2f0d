import { type Dirent, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';

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

/** What is there itself, be it a link; undefined where nothing is, also because its folder is none or may not be entered. */
export function entryAt(at: string): Stats | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The same of what a link leads to. */
export function targetAt(at: string): Stats | undefined {
  try {
    return statSync(at, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
