import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';

/**
 * What the journal needs from a file system, and nothing else, so that a test can fail any of it or cut the power. Every member throws the
 * system's error. `write` may write less than it was given. `sync` returns once the file's bytes survive a power cut, `syncFolder` once the
 * names in the folder do.
 */
export type Disk = {
  readonly open: (path: string, flags: string, mode?: number) => number;
  readonly read: (fd: number, into: Buffer, position: number) => number;
  readonly write: (fd: number, bytes: Uint8Array, offset: number) => number;
  readonly size: (fd: number) => number;
  readonly sync: (fd: number) => void;
  /** `sync` off the caller's path. */
  readonly syncLater: (fd: number, done: (error: Error | null) => void) => void;
  readonly close: (fd: number) => void;
  readonly syncFolder: (path: string) => void;
  /** Creates the folder and those above it, private to their owner. */
  readonly makeFolder: (path: string) => void;
  readonly readText: (path: string) => string;
  /** When the file was last written or touched, by the file system's own clock. */
  readonly modifiedAt: (path: string) => number;
  readonly touch: (path: string) => void;
  readonly list: (path: string) => ReadonlyArray<string>;
  readonly link: (from: string, to: string) => void;
  readonly rename: (from: string, to: string) => void;
  readonly remove: (path: string) => void;
};

export const realDisk: Disk = {
  open: openSync,
  read: (fd, into, position) => readSync(fd, into, 0, into.length, position),
  write: (fd, bytes, offset) => writeSync(fd, bytes, offset),
  size: (fd) => fstatSync(fd).size,
  sync: fdatasyncSync,
  syncLater: fdatasync,
  close: closeSync,
  syncFolder: (path) => {
    const fd = openSync(path, 'r');
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  },
  makeFolder: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  readText: (path) => readFileSync(path, 'utf8'),
  modifiedAt: (path) => statSync(path).mtimeMs,
  touch: (path) => utimesSync(path, new Date(), new Date()),
  list: readdirSync,
  link: linkSync,
  rename: renameSync,
  remove: unlinkSync,
};

export function writeAll(disk: Disk, fd: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length;) {
    const more = disk.write(fd, bytes, written);
    if (more <= 0) throw new Error('the system wrote nothing and gave no reason');
    written += more;
  }
}

/** Removes a file that may already be gone. */
export function removeQuietly(disk: Disk, path: string): void {
  try {
    disk.remove(path);
  } catch {
    // Gone, or not ours to remove: whoever needs the name finds out.
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
