import path from 'node:path';
import { acquireLock, codeOf, type Disk, type Lock, realDisk, writeAll } from '@attractor/system';
import { JournalError, journalError } from './error.ts';
import type { DamagedRecord, Journal, JournalRecord } from './journal.ts';
import { MAX_LINE_BYTES } from './journal-lines.ts';

import { outlineRecords, readRecords } from './read-journal.ts';
import { encodeRecord, toRecord } from './record.ts';
import { createSideFiles, MAX_INLINE_LENGTH, sideFolder } from './side-files.ts';

export type FileJournal = Journal & {
  readonly path: string;
  readonly damaged: ReadonlyArray<DamagedRecord>;
  readonly records: (afterSeq?: number) => Iterable<JournalRecord>;
  /** Appends a record unchanged: one that is no event of a session, or was read from elsewhere. */
  readonly appendRecord: (record: JournalRecord) => void;
};

export type JournalOptions = {
  readonly disk?: Disk;
  /** Called once it is closed, synced and free for another writer. */
  readonly onClosed?: () => void;
};

/** How long a written record may wait for a sync that nobody requested. */
const LAZY_SYNC_MS = 20;

/**
 * A journal in one file of JSON lines, private to its owner. One descriptor, one writer (with a lock file). Throws a `JournalError`:
 * `locked` if another process writes, or the file system's error. After a failed sync nothing more is written: what the kernel still holds
 * is then unknown.
 */
export function openJournal(file: string, { disk = realDisk, onClosed }: JournalOptions = {}): FileJournal {
  try {
    disk.makeFolder(path.dirname(file));
    const lock = acquireLock(`${file}.lock`, disk);
    try {
      return faceOf(openWriter({ disk, file, lock }), onClosed);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw journalError(error, file);
  }
}

/** Bytes below `synced` survive a power cut. `failure` is set once and ends all writing. */
type Writer = {
  readonly disk: Disk;
  readonly file: string;
  readonly fd: number;
  readonly lock: Lock;
  readonly lift: (record: JournalRecord) => JournalRecord;
  /** Whether the file's name is synced, and those of the folders above: their creator may have died before syncing them. */
  named: boolean;
  open: boolean;
  torn: boolean;
  written: number;
  synced: number;
  syncing: boolean;
  failure: unknown;
  timer: NodeJS.Timeout | undefined;
};

type Place = { readonly disk: Disk; readonly file: string; readonly lock: Lock };

function openWriter({ disk, file, lock }: Place): Writer {
  const side = createSideFiles(disk, sideFolder(file));
  side.tidy();
  const fd = disk.open(file, 'a+', 0o600);
  try {
    const size = disk.size(fd);
    return {
      disk,
      file,
      fd,
      lock,
      lift: side.lift,
      named: false,
      open: true,
      torn: endsInsideLine(disk, fd, size),
      // What a dead writer left in the kernel is not known to be synced.
      written: 0,
      synced: size === 0 ? 0 : -1,
      syncing: false,
      failure: null,
      timer: undefined,
    };
  } catch (error) {
    disk.close(fd);
    throw error;
  }
}

/** After a crash the last line may be unfinished; the next record must not be appended to it. */
function endsInsideLine(disk: Disk, fd: number, size: number): boolean {
  if (size === 0) return false;
  const last = Buffer.alloc(1);
  disk.read(fd, last, size - 1);
  return last[0] !== 10;
}

function faceOf(writer: Writer, onClosed: (() => void) | undefined): FileJournal {
  const { disk, file } = writer;
  let known: ReadonlyArray<DamagedRecord> | null = null;
  /** Reading all of it also reveals what is damaged. */
  function* records(afterSeq = 0): Generator<JournalRecord, void> {
    const damaged: DamagedRecord[] = [];
    yield* readRecords(file, { afterSeq, disk, onDamage: (one) => void damaged.push(one) });
    known = damaged;
  }
  return {
    path: file,
    append: (event) => append(writer, toRecord(event)),
    appendRecord: (record) => append(writer, record),
    sync: () => sync(writer),
    records,
    outline: () => outlineRecords(file, { disk, onRead: (damaged) => void (known = damaged) }),
    read: (afterSeq) => [...records(afterSeq)],
    get damaged() {
      if (known === null) for (const _ of records());
      return known ?? [];
    },
    close() {
      if (!writer.open) return;
      try {
        if (writer.failure === null) sync(writer);
      } finally {
        close(writer);
        writer.lock.release();
      }
      onClosed?.();
    },
  };
}

function append(writer: Writer, record: JournalRecord): void {
  assertWritable(writer);
  const { disk, fd, file } = writer;
  try {
    const bytes = Buffer.from(`${writer.torn ? '\n' : ''}${encoded(writer, record)}`);
    if (bytes.length > MAX_LINE_BYTES)
      throw new JournalError(
        'too_large',
        `The journal ${file} takes no event of ${bytes.length} bytes: make it smaller.`,
      );
    writer.torn = true;
    writeAll(disk, fd, bytes);
    writer.torn = false;
    writer.written += bytes.length;
  } catch (error) {
    throw journalError(error, file);
  }
  armSync(writer);
}

/** A short line has no string to move to a side file. */
function encoded({ lift }: Writer, record: JournalRecord): string {
  const line = encodeRecord(record);
  return line.length <= MAX_INLINE_LENGTH ? line : encodeRecord(lift(record));
}

function armSync(writer: Writer): void {
  writer.timer ??= setTimeout(syncLater, LAZY_SYNC_MS, writer).unref();
}

function sync(writer: Writer): void {
  assertWritable(writer);
  clearTimeout(writer.timer);
  writer.timer = undefined;
  if (writer.synced === writer.written) return;
  try {
    writer.disk.sync(writer.fd);
    if (!writer.named) syncNames(writer.disk, path.resolve(path.dirname(writer.file)));
    writer.named = true;
    writer.synced = writer.written;
  } catch (error) {
    writer.failure = journalError(error, writer.file);
    throw writer.failure;
  }
}

function syncNames(disk: Disk, folder: string): void {
  disk.syncFolder(folder);
  for (let above = path.dirname(folder); above !== folder; folder = above, above = path.dirname(folder)) {
    try {
      disk.syncFolder(above);
    } catch (error) {
      // If we may not even look, nothing of ours is new.
      if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') throw error;
    }
  }
}

/** Off the caller's path. Until it is done, what it covers does not count as synced. */
function syncLater(writer: Writer): void {
  writer.timer = undefined;
  if (!writer.open || writer.syncing || writer.synced === writer.written) return;
  const covers = writer.written;
  writer.syncing = true;
  writer.disk.syncLater(writer.fd, (error) => {
    writer.syncing = false;
    if (!writer.open) writer.disk.close(writer.fd);
    else if (error !== null) writer.failure = journalError(error, writer.file);
    else if (writer.named) writer.synced = Math.max(writer.synced, covers);
    if (writer.open && writer.written > covers) armSync(writer);
  });
}

function close(writer: Writer): void {
  clearTimeout(writer.timer);
  writer.open = false;
  // A sync that is under way still needs the descriptor and closes it when done.
  if (!writer.syncing) writer.disk.close(writer.fd);
}

function assertWritable(writer: Writer): void {
  const { open, file, lock } = writer;
  if (!open) throw new JournalError('closed', `The journal ${file} is closed.`);
  if (writer.failure === null && !lock.isHeld())
    writer.failure = new JournalError(
      'locked',
      `The journal ${file} was taken over by another process: resume it there.`,
    );
  if (writer.failure !== null) throw writer.failure;
}
