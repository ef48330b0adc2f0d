import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { realDisk, writeAll } from '../journal/disk.ts';
import { newId } from '../id.ts';
import { folderOf, journalOf, sessionsFolder } from './place.ts';

/** A session in the making: in a folder of its own that gets its name only when all is written and synced. */
export type SessionDraft = {
  readonly blobs: string;
  readonly write: (line: string) => void;
  /** Gives it its place. Throws EEXIST or ENOTEMPTY when the id was taken meanwhile. */
  readonly publish: (id: string) => void;
  /** Takes away what was written, unless it was published. */
  readonly discard: () => void;
};

const BUFFER_BYTES = 1 << 20;

export function draftSession(home: string): SessionDraft {
  const folder = path.join(sessionsFolder(home), `.${newId('new')}`);
  const blobs = path.join(folder, 'blobs');
  mkdirSync(blobs, { recursive: true, mode: 0o700 });
  const fd = openSync(path.join(folder, path.basename(journalOf(home, 'any'))), 'wx', 0o600);
  let waiting: string[] = [];
  let size = 0;
  let open = true;
  const flush = (): void => {
    writeAll(realDisk, fd, Buffer.from(waiting.join('')));
    waiting = [];
    size = 0;
  };
  return {
    blobs,
    write: (line) => {
      waiting.push(line);
      size += line.length;
      if (size > BUFFER_BYTES) flush();
    },
    publish: (id) => {
      flush();
      fsyncSync(fd);
      realDisk.syncFolder(blobs);
      realDisk.syncFolder(folder);
      renameSync(folder, folderOf(home, id));
      realDisk.syncFolder(sessionsFolder(home));
    },
    discard: () => {
      if (open) closeSync(fd);
      open = false;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
