import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Arguments of bubblewrap that it reads from a file: they hardly change between commands, so they are written once, and nothing in between
 * has to read them. A file stays unchanged as long as anybody holds it, or the last list is the same.
 */
export type ArgumentFiles = { readonly hold: (args: ReadonlyArray<string>) => HeldFile };

export type HeldFile = { readonly at: string; readonly release: () => void };

type ArgumentFile = { readonly at: string; readonly text: string; holders: number };

export function createArgumentFiles(folder: string): ArgumentFiles {
  let count = 0;
  let last: ArgumentFile | null = null;
  const removeUnheld = (file: ArgumentFile): void => {
    if (file.holders === 0 && file !== last) rmSync(file.at, { force: true });
  };
  const write = (text: string): ArgumentFile => {
    const before = last;
    last = { at: path.join(folder, `arguments-${++count}`), text, holders: 0 };
    writeFileSync(last.at, text, { mode: 0o600 });
    if (before !== null) removeUnheld(before);
    return last;
  };
  return {
    hold: (args) => {
      const text = args.map((word) => `${word}\0`).join('');
      const file = last?.text === text ? last : write(text);
      file.holders += 1;
      return {
        at: file.at,
        release: () => {
          file.holders -= 1;
          removeUnheld(file);
        },
      };
    },
  };
}
