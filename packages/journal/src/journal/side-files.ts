import { hash, randomBytes } from 'node:crypto';
import path from 'node:path';
import type { JournalRecord } from './journal.ts';
import { codeOf, type Disk, removeQuietly, writeAll } from '@attractor/system';
import { defineOutput } from './late-output.ts';
import type { SideString, StoredRecord } from './record.ts';

/** Longer strings are kept in a separate file. */
export const MAX_INLINE_LENGTH = 16_384;

/** Where the large strings of a journal are: beside it, each in a file named after the hash of its content, stored once. */
export function sideFolder(journal: string): string {
  return path.join(path.dirname(journal), 'blobs');
}

const TEMPORARY = '.new';

export type SideFiles = {
  /** The record with its large strings moved to side files. They are synced, with their names, when this returns. */
  readonly lift: (record: JournalRecord) => StoredRecord;
  /** Removes what a dead writer left half-written. Only for the journal's one writer. */
  readonly tidy: () => void;
};

export function createSideFiles(disk: Disk, folder: string): SideFiles {
  const known = new Set<string>();
  const keep = (text: string): Pick<SideString, 'sha256' | 'bytes'> => {
    const bytes = Buffer.from(text);
    const sha256 = hashOf(bytes);
    if (!known.has(sha256)) store(disk, path.join(folder, sha256), bytes);
    known.add(sha256);
    return { sha256, bytes: bytes.length };
  };
  return {
    lift: (record) => {
      const side: SideString[] = [];
      const event = withoutLarge(record.event, [], (text, at) => void side.push({ at, ...keep(text) }));
      return side.length === 0 ? record : { ...record, event: { ...record.event, ...event }, side };
    },
    tidy: () => {
      for (const name of listOrNone(disk, folder)) {
        if (name.includes(TEMPORARY)) removeQuietly(disk, path.join(folder, name));
      }
    },
  };
}

type Take = (text: string, at: ReadonlyArray<string | number>) => void;

function withoutLarge(value: object, at: ReadonlyArray<string | number>, take: Take): object {
  const keys: ReadonlyArray<[string | number, unknown]> = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  let copy: object | null = null;
  for (const [key, inner] of keys) {
    const small = smaller(inner, [...at, key], take);
    if (small === inner) continue;
    copy ??= Array.isArray(value) ? [...value] : { ...value };
    Object.defineProperty(copy, key, { value: small, enumerable: true, configurable: true, writable: true });
  }
  return copy ?? value;
}

/** Invalid Unicode would not survive UTF-8: it stays in the line, where JSON escapes it. */
function smaller(value: unknown, at: ReadonlyArray<string | number>, take: Take): unknown {
  if (typeof value === 'string') {
    if (value.length <= MAX_INLINE_LENGTH || !value.isWellFormed()) return value;
    take(value, at);
    return '';
  }
  return typeof value === 'object' && value !== null ? withoutLarge(value, at, take) : value;
}

/** Written atomically, so an existing intact file need not be written again; its name may still need a sync. */
function store(disk: Disk, file: string, bytes: Buffer): void {
  const folder = path.dirname(file);
  disk.makeFolder(folder);
  const entry = { at: [], sha256: path.basename(file), bytes: bytes.length };
  if (readSideFile(disk, file, entry) === null) replaceFile(disk, file, bytes);
  disk.syncFolder(folder);
  disk.syncFolder(path.dirname(folder));
}

function replaceFile(disk: Disk, file: string, bytes: Buffer): void {
  const temporary = `${file}${TEMPORARY}${randomBytes(4).toString('hex')}`;
  try {
    const fd = disk.open(temporary, 'wx', 0o600);
    try {
      writeAll(disk, fd, bytes);
      disk.sync(fd);
    } finally {
      disk.close(fd);
    }
    disk.rename(temporary, file);
  } catch (error) {
    removeQuietly(disk, temporary);
    throw error;
  }
}

function listOrNone(disk: Disk, folder: string): ReadonlyArray<string> {
  try {
    return disk.list(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Null if the file is missing or its content does not match the record. */
function readSideFile(disk: Disk, file: string, { sha256, bytes }: SideString): string | null {
  try {
    const content = readWhole(disk, file, bytes);
    return content !== null && hashOf(content) === sha256 ? content.toString('utf8') : null;
  } catch (error) {
    if (codeOf(error) === 'EMFILE' || codeOf(error) === 'ENFILE') throw error;
    return null;
  }
}

/** Reading a journal reads thousands of these in a row: all use the same buffer, and none is kept there. */
const MAX_SCRATCH_BYTES = 1 << 20;
let scratch: Buffer | null = null;

/** Null if the size differs. The returned bytes are valid until the next call. */
function readWhole(disk: Disk, file: string, bytes: number): Buffer | null {
  const fd = disk.open(file, 'r');
  try {
    if (disk.size(fd) !== bytes) return null;
    scratch ??= Buffer.allocUnsafe(MAX_SCRATCH_BYTES);
    const content = bytes <= MAX_SCRATCH_BYTES ? scratch.subarray(0, bytes) : Buffer.allocUnsafe(bytes);
    for (let at = 0; at < bytes;) {
      const read = disk.read(fd, content.subarray(at), at);
      if (read === 0) return null;
      at += read;
    }
    return content;
  } finally {
    disk.close(fd);
  }
}

export type RestoredRecord = { readonly record: JournalRecord; readonly lost: number };

/** The record with its large strings restored. A lost one is replaced by a sentence that says so. */
export function restore(disk: Disk, folder: string, { side, ...record }: StoredRecord): RestoredRecord {
  let lost = 0;
  for (const entry of side ?? []) {
    const text = readSideFile(disk, path.join(folder, entry.sha256), entry);
    if (text === null) lost++;
    put(record.event, entry.at, text ?? lostText(entry.bytes));
  }
  return { record, lost };
}

export function lostText(bytes: number): string {
  return `[${bytes} bytes that stood here were lost: their file is missing or damaged]`;
}

/**
 * For a fold: a tool call's output is restored on first access, a call's start keeps its arguments empty; everything else is restored at
 * once.
 */
export function openBeside(disk: Disk, folder: string): { readonly outline: (stored: StoredRecord) => RestoredRecord } {
  let names: ReadonlySet<string> | null = null;
  const isThere = (sha256: string): boolean => (names ??= new Set(listOrNone(disk, folder))).has(sha256);
  return {
    outline: (stored) => {
      if (stored.side === undefined) return { record: stored, lost: 0 };
      const { side, ...record } = stored;
      if (record.event.kind === 'TOOL_CALL_START') return { record, lost: 0 };
      const output = record.event.kind === 'TOOL_CALL_END' ? side.find(isOutput) : undefined;
      if (output === undefined) return restore(disk, folder, stored);
      const restored = restore(disk, folder, { ...record, side: side.filter((entry) => entry !== output) });
      defineOutput(
        record.event,
        () => readSideFile(disk, path.join(folder, output.sha256), output) ?? lostText(output.bytes),
      );
      return isThere(output.sha256) ? restored : { ...restored, lost: restored.lost + 1 };
    },
  };
}

function isOutput({ at }: SideString): boolean {
  return at.length === 1 && at[0] === 'output';
}

function put(root: object, at: ReadonlyArray<string | number>, text: string): void {
  let place: object = root;
  for (const [index, key] of at.entries()) {
    if (!Object.hasOwn(place, key)) return;
    if (index === at.length - 1) {
      Object.defineProperty(place, key, { value: text, enumerable: true, configurable: true, writable: true });
      return;
    }
    const next: unknown = Reflect.get(place, key);
    if (typeof next !== 'object' || next === null) return;
    place = next;
  }
}

function hashOf(content: Buffer): string {
  return hash('sha256', content, 'hex');
}
