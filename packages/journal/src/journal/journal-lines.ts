import { codeOf, type Disk } from '@attractor/system';
import { decodeBytes, isSound, salvage, toStoredRecord, type StoredRecord } from './record.ts';

/** A raw line of the file. `end` is the offset after it; a line that is not `whole` still lacks its newline. */
export type RawLine = {
  readonly number: number;
  readonly bytes: Buffer;
  readonly end: number;
  readonly whole: boolean;
};

/** A record and its text, or what could not be read (`record` is null). */
export type JournalLine = {
  readonly number: number;
  readonly bytes: number;
  readonly end: number;
  readonly whole: boolean;
  readonly text: string;
  readonly record: StoredRecord | null;
};

/** No record is longer; a longer stretch without a newline is damage and is skipped without being held in memory. */
export const MAX_LINE_BYTES = 64 << 20;
const CHUNK_BYTES = 256 << 10;

/** The records of a journal one by one, damage included. A missing file has none. */
export function* journalLines(disk: Disk, file: string, from = 0): Generator<JournalLine, void> {
  for (const line of rawLines(disk, file, from)) yield* decodedLines(line);
}

/** The contents of one line: nothing, a record, or damage after what could be salvaged. */
export function decodedLines({ number, bytes, end, whole }: RawLine): ReadonlyArray<JournalLine> {
  if (bytes.length === 0) return [];
  const text = bytes.toString('utf8');
  const record = isSound(bytes) ? toStoredRecord(text) : null;
  const line = { number, bytes: bytes.length, end, whole, text, record };
  if (record !== null) return [line];
  return [...salvage(text).map((saved) => ({ ...line, bytes: saved.text.length, ...saved })), line];
}

/** The position of a line in its file, which only grows, so the line can be found again. */
export type LinePlace = { readonly start: number; readonly bytes: number };

/** Null if it can't be read, or no longer holds an intact record. */
export function readLine(disk: Disk, file: string, { start, bytes }: LinePlace): StoredRecord | null {
  const fd = openOrNull(disk, file);
  if (fd === null) return null;
  try {
    const line = Buffer.allocUnsafe(bytes);
    for (let at = 0; at < bytes;) {
      const read = disk.read(fd, line.subarray(at), start + at);
      if (read === 0) return null;
      at += read;
    }
    return decodeBytes(line);
  } finally {
    disk.close(fd);
  }
}

/** `bytes` are valid until the next one is requested. */
export function* rawLines(disk: Disk, file: string, from = 0): Generator<RawLine, void> {
  const fd = openOrNull(disk, file);
  if (fd === null) return;
  try {
    const chunk = Buffer.allocUnsafe(Math.max(1, Math.min(CHUNK_BYTES, disk.size(fd) - from)));
    let rest: Buffer[] = [];
    let held = 0;
    let number = 0;
    let position = from;
    for (let read = disk.read(fd, chunk, position); read > 0; read = disk.read(fd, chunk, position)) {
      let start = 0;
      for (let newline = chunk.indexOf(10); newline >= 0 && newline < read; newline = chunk.indexOf(10, start)) {
        const bytes = join(rest, chunk.subarray(start, newline));
        if (held > 0) [rest, held] = [[], 0];
        start = newline + 1;
        yield { number: ++number, bytes, end: position + start, whole: true };
      }
      held += read - start;
      // Beyond the limit it can't be a record: its beginning is enough to report it.
      if (start < read && held <= MAX_LINE_BYTES) rest.push(Buffer.from(chunk.subarray(start, read)));
      position += read;
    }
    if (held > 0) yield { number: ++number, bytes: join(rest, Buffer.alloc(0)), end: position, whole: false };
  } finally {
    disk.close(fd);
  }
}

/** Whether the file contains the bytes. */
export function holds(disk: Disk, file: string, needle: Buffer): boolean {
  const fd = openOrNull(disk, file);
  if (fd === null) return false;
  try {
    const overlap = needle.length - 1;
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, disk.size(fd)) + overlap);
    let position = 0;
    for (let read = disk.read(fd, chunk, 0); read > overlap; read = disk.read(fd, chunk, position)) {
      if (chunk.subarray(0, read).includes(needle)) return true;
      position += read - overlap;
    }
    return false;
  } finally {
    disk.close(fd);
  }
}

function join(rest: ReadonlyArray<Buffer>, last: Buffer): Buffer {
  return rest.length === 0 ? last : Buffer.concat([...rest, last]);
}

function openOrNull(disk: Disk, path: string): number | null {
  try {
    return disk.open(path, 'r');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
