import {
  closeSync,
  constants,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { Journal } from './journal.ts';
import { JournalError, journalError } from './error.ts';
import { acquireLock } from './lock.ts';
import { readJournal, type DamagedRecord } from './read-journal.ts';
import { encodeRecord, toRecord } from './record.ts';

export type FileJournal = Journal & {
  readonly path: string;
  /** What could not be read when the journal was opened. */
  readonly damaged: ReadonlyArray<DamagedRecord>;
};

/** How long a written record may wait for a sync that nobody asked for. */
const LAZY_SYNC_MS = 20;
const { O_APPEND, O_CREAT, O_RDWR } = constants;

/**
 * A journal in one file of JSON lines, private to its owner. One descriptor, one writer (a lock beside it).
 * Throws a `JournalError`: `locked` when another process writes, or what the disk said.
 */
export function openJournal(file: string): FileJournal {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const lock = acquireLock(`${file}.lock`);
    try {
      const { damaged } = readJournal(file);
      return { ...createWriter(file, lock.release), path: file, damaged };
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw journalError(error, file);
  }
}

function createWriter(file: string, release: () => void): Journal {
  const fd = openSync(file, O_RDWR | O_APPEND | O_CREAT, 0o600);
  const state = { open: true, dirty: false, torn: endsInsideLine(fd) };
  let timer: NodeJS.Timeout | undefined;

  const lazySync = (): void => {
    timer = undefined;
    if (!state.open || !state.dirty) return;
    state.dirty = false;
    fdatasync(fd, (error) => {
      if (error !== null) state.dirty = true;
    });
  };
  const sync = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (!state.open || !state.dirty) return;
    try {
      fdatasyncSync(fd);
      state.dirty = false;
    } catch (error) {
      throw journalError(error, file);
    }
  };
  return {
    append(event) {
      if (!state.open) throw new JournalError('closed', `The journal ${file} is closed.`);
      const line = encodeRecord(toRecord(event));
      try {
        const bytes = Buffer.from(state.torn ? `\n${line}` : line);
        state.torn = true;
        writeAll(fd, bytes);
        state.torn = false;
      } catch (error) {
        throw journalError(error, file);
      }
      state.dirty = true;
      timer ??= setTimeout(lazySync, LAZY_SYNC_MS).unref();
    },
    sync,
    read: (afterSeq = 0) => readJournal(file, afterSeq).records,
    close() {
      if (!state.open) return;
      sync();
      state.open = false;
      closeSync(fd);
      release();
    },
  };
}

/** After a crash the last line may lack its end; the next record must not be glued to it. */
function endsInsideLine(fd: number): boolean {
  const { size } = fstatSync(fd);
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] !== 10;
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length;) written += writeSync(fd, bytes, written);
}
