import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { newId } from '@attractor/base/id';

/** Longer texts from hooks go to a file; the model gets their beginning and the file's path. */
const MAX_CHARACTERS = 10_000;
const PREVIEW_CHARACTERS = 2_000;

export type Spill = {
  /** The text, or its beginning and the path of the file that has all of it. */
  readonly short: (text: string) => string;
  readonly close: () => void;
};

/** `folder` absent: a temporary one that `close` removes. Secrets must already be out of the texts. */
export function createSpill(folder: string | undefined): Spill {
  let own: string | null = null;
  const place = (): string => {
    if (folder === undefined) return (own ??= mkdtempSync(path.join(tmpdir(), 'attractor-hooks-')));
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  };
  return {
    short: (text) => {
      if (text.length <= MAX_CHARACTERS) return text;
      const preview = text.slice(0, PREVIEW_CHARACTERS);
      try {
        const file = path.join(place(), `${newId('hook')}.txt`);
        writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
        return `${preview}\n[… ${text.length} characters in all; the whole text is in ${file}]`;
      } catch {
        return `${preview}\n[… ${text.length} characters in all; the rest could not be kept]`;
      }
    },
    close: () => {
      if (own !== null) rmSync(own, { recursive: true, force: true });
    },
  };
}
