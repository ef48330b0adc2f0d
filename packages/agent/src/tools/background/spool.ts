import { closeSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, readSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * What a command printed, on disk and bounded: two files of half the limit each, the older one given up when the newer one is full.
 * Positions count from the first byte ever written, so that a reader notices what was given up before it came. A disk that is full
 * costs output, never the command. The files lose their names as soon as they are open: what was printed may hold secrets, so nobody
 * finds it by a path, and it is gone with this process, however that ends.
 */
export type Spool = {
  readonly push: (chunk: Uint8Array) => void;
  /** How many bytes there were so far. */
  readonly length: () => number;
  /** The bytes from a position on that are still there, at most `limit`; `from` is the position of the first of them. */
  readonly read: (position: number, limit: number) => { readonly bytes: Buffer; readonly from: number };
  readonly remove: () => void;
};

export type SpoolOptions = {
  /** On whose disk it lies; made when it is not there. Absent: the system's temporary one. */
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
  /** Gives back what did not fit yet. */
  const append = (chunk: Uint8Array): Uint8Array => {
    const newer = parts.at(-1);
    if (newer === undefined || isRemoved) return NOTHING;
    const room = Math.min(partBytes - newer.length, chunk.length);
    const stored = room === 0 ? 0 : storeAt(newer, chunk.subarray(0, room));
    newer.length += stored;
    written += room;
    if (newer.length === partBytes) turn(parts, written);
    // What the disk did not take is a gap: nothing before it is kept, so that positions stay true.
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

/** The older part becomes the empty newer one. */
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
