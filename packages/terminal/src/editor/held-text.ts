import { closeSync, ftruncateSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';

/** A file with one text in its first line; after a kill it holds the last text or the one before, whole. */
export type HeldText = { readonly write: (text: string) => void; readonly remove: () => void };

/** What fits into a page is written over what was there in one step, which no signal interrupts. Replacing a file can wait for the disk. */
const PAGE_BYTES = 4_096;

/** A full disk, or a folder that is gone, must not stop who writes: then nothing is held. */
export function holdText(file: string): HeldText {
  let opened: { readonly descriptor: number; readonly length: number } | null = null;
  const close = (): void => {
    if (opened !== null) closeSync(opened.descriptor);
    opened = null;
  };
  return {
    write: (text) => {
      const bytes = Buffer.from(`${text}\n`);
      try {
        if (opened !== null && bytes.length <= PAGE_BYTES) {
          const { descriptor, length } = opened;
          writeSync(descriptor, bytes, 0, bytes.length, 0);
          // A kill before this leaves something behind the first line, which nobody reads.
          if (bytes.length < length) ftruncateSync(descriptor, bytes.length);
          opened = { descriptor, length: bytes.length };
          return;
        }
        close();
        replace(file, bytes);
        opened = { descriptor: openSync(file, 'r+'), length: bytes.length };
      } catch {
        close();
        rmSync(`${file}.new`, { force: true });
      }
    },
    remove: () => {
      close();
      rmSync(file, { force: true });
    },
  };
}

function replace(file: string, bytes: Uint8Array): void {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, bytes, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
