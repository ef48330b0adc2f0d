import { type Tree, type Violation, lineAt } from './tree.ts';

const LOCKFILE = 'package-lock.json';

/** The lockfile pins versions and contents, never the address of a download: that is up to the installing machine. */
export function lockfile(tree: Tree): Violation[] {
  if (!tree.files.includes(LOCKFILE)) return [{ file: LOCKFILE, message: 'is missing' }];
  const text = tree.read(LOCKFILE);
  return [...text.matchAll(/"resolved": "[a-z+]+:[^"]*"/g)].map((match) => ({
    file: LOCKFILE,
    line: lineAt(text, match.index),
    message: `records an address (${match[0]}): run npm install with the .npmrc of this repository`,
  }));
}
