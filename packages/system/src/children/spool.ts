import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * The output of a command, on disk and bounded: two files of half the limit each; the older is discarded when the newer is full. Positions
 * count from the first byte ever written, so that a reader notices discarded bytes. A full disk costs output, never the command. The files
 * are unlinked as soon as they are open: the output may hold secrets, so nobody can find it by a path, and it is gone with this process,
 * however that ends.
 */
export type Spool = {
  readonly push: (chunk: Uint8Array) => void;
  /** How many bytes were written so far. */
  readonly length: () => number;
  /** The remaining bytes from a position on, at most `limit`; `from` is the position of the first of them. */
  readonly read: (position: number, limit: number) => { readonly bytes: Buffer; readonly from: number };
  readonly remove: () => void;
};

export type SpoolOptions = {
  /** The folder whose disk is used; created if missing. Absent: the system's temporary folder. */
  readonly folder?: string;
  /** Absent: 16 MiB. */
  readonly maxBytes?: number;
};

const MAX_BYTES = 16 << 20;
export const SPOOL_PREFIX = 'attractor-output-';
const NOTHING = new Uint8Array(0);

type Part = { readonly fd: number; start: number; length: number };

export function createSpool({ folder = tmpdir(), maxBytes = MAX_BYTES }: SpoolOptions = {}): Spool {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = mkdtempSync(path.join(folder, SPOOL_PREFIX));
  const partBytes = Math.max(1, Math.floor(maxBytes / 2));
  const parts = ['a', 'b'].map((name): Part => ({ fd: openPart(path.join(own, name)), start: 0, length: 0 }));
  rmSync(own, { recursive: true, force: true });
  let written = 0;
  let isRemoved = false;
  /** Returns the bytes that did not fit yet. */
  const append = (chunk: Uint8Array): Uint8Array => {
    const newer = parts.at(-1);
    if (newer === undefined || isRemoved) return NOTHING;
    const room = Math.min(partBytes - newer.length, chunk.length);
    const stored = room === 0 ? 0 : storeAt(newer, chunk.subarray(0, room));
    newer.length += stored;
    written += room;
    if (newer.length === partBytes) turn(parts, written);
    // Bytes that the disk did not take are a gap: everything before it is discarded, so that positions stay correct.
    if (stored < room) parts.forEach(() => turn(parts, written));
    return chunk.subarray(room);
  };
  return {
    push: (chunk) => {
      for (let rest = chunk; rest.length > 0;) rest = append(rest);
    },
    length: () => written,
    read: (position, limit) => {
      const from = Math.max(position, parts.find((part) => part.length > 0)?.start ?? written);
      const found = isRemoved ? [] : parts.map((part) => bytesOf(part, from, from + limit));
      return { bytes: Buffer.concat(found), from };
    },
    remove: () => {
      if (isRemoved) return;
      isRemoved = true;
      for (const { fd } of parts) closeSync(fd);
    },
  };
}

function openPart(file: string): number {
  return openSync(file, 'wx+', 0o600);
}

/** The older part becomes the new, empty one. */
function turn(parts: Part[], written: number): void {
  const older = parts.shift();
  if (older === undefined) return;
  ftruncateSync(older.fd, 0);
  older.start = written;
  older.length = 0;
  parts.push(older);
}

function storeAt({ fd, length }: Part, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes, 0, bytes.length, length);
  } catch {
    return 0;
  }
}

function bytesOf(part: Part, from: number, to: number): Buffer {
  const first = Math.max(from, part.start);
  const last = Math.min(to, part.start + part.length);
  if (last <= first) return Buffer.alloc(0);
  const bytes = Buffer.alloc(last - first);
  const read = readSync(part.fd, bytes, 0, bytes.length, first - part.start);
  return bytes.subarray(0, read);
}
