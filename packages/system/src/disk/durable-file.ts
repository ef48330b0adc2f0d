import path from 'node:path';
import { realDisk, writeAll } from './disk.ts';

/** Replaces one of our own files: the old text or the new, also after a power cut. */
export function writeDurably(file: string, text: string): void {
  const temporary = `${file}.tmp`;
  const fd = realDisk.open(temporary, 'w', 0o600);
  try {
    writeAll(realDisk, fd, Buffer.from(text));
    realDisk.sync(fd);
  } finally {
    realDisk.close(fd);
  }
  realDisk.rename(temporary, file);
  realDisk.syncFolder(path.dirname(file));
}
