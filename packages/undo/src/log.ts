import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { realDisk, writeAll, writeDurably } from '@attractor/system';
import type { LeftOutFile, Snapshot } from './contract.ts';

import { decodeModes, encodeModes, type Modes } from './modes.ts';
import type { PathKey } from './path-bytes.ts';

/** A left-out path by its bytes. */
export type LeftOutKey = Omit<LeftOutFile, 'path'> & { readonly path: PathKey };

/**
 * One line of `snapshots.jsonl`. `tree` is a git tree of the store; `modes` and `without` name side files by the hash of their content, so
 * that a thousand snapshots share one. A record is written after everything it names, and never changed.
 */
export type SnapshotRecord = Snapshot & {
  readonly v: 1;
  readonly tree: string;
  readonly modes: string;
  readonly without: string;
};

export type SnapshotLog = {
  readonly records: () => ReadonlyArray<SnapshotRecord>;
  readonly last: () => SnapshotRecord | undefined;
  readonly append: (record: SnapshotRecord) => void;
  /** Keeps only these, and the side files they name. */
  readonly keep: (records: ReadonlyArray<SnapshotRecord>) => void;
  readonly storeModes: (modes: Modes) => string;
  readonly modesOf: (record: SnapshotRecord) => Modes;
  readonly storeLeftOut: (leftOut: ReadonlyArray<LeftOutKey>) => string;
  readonly leftOutOf: (record: SnapshotRecord) => ReadonlyArray<LeftOutKey>;
};

export function openLog(statePath: string): SnapshotLog {
  const file = path.join(statePath, 'snapshots.jsonl');
  const sides = openSides(path.join(statePath, 'sides'));
  let records = readRecords(file);

  return {
    records: () => records,
    last: () => records.at(-1),
    append: (record) => {
      appendLine(file, JSON.stringify(record));
      records = [...records, record];
    },
    keep: (kept) => {
      writeDurably(file, kept.map((record) => `${JSON.stringify(record)}\n`).join(''));
      records = kept;
      sides.keep(new Set(kept.flatMap(({ modes, without }) => [modes, without])));
    },
    storeModes: (modes) => sides.put(encodeModes(modes)),
    modesOf: (record) => decodeModes(sides.get(record.modes)),
    storeLeftOut: (leftOut) => sides.put(JSON.stringify(leftOut)),
    leftOutOf: (record) => JSON.parse(sides.get(record.without)),
  };
}

/** A damaged line loses only its own snapshot. */
function readRecords(file: string): ReadonlyArray<SnapshotRecord> {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      const record = parse(line);
      return record === null ? [] : [record];
    });
}

function parse(line: string): SnapshotRecord | null {
  try {
    const value: unknown = JSON.parse(line);
    return isSnapshotRecord(value) ? value : null;
  } catch {
    return null;
  }
}

const FIELDS: Readonly<Record<string, string>> = {
  id: 'string',
  at: 'string',
  by: 'string',
  turn: 'number',
  label: 'string',
  changed: 'number',
  leftOut: 'number',
  tree: 'string',
  modes: 'string',
  without: 'string',
};

function isSnapshotRecord(value: unknown): value is SnapshotRecord {
  if (typeof value !== 'object' || value === null) return false;
  const fields = new Map<string, unknown>(Object.entries(value));
  return fields.get('v') === 1 && Object.entries(FIELDS).every(([name, type]) => typeof fields.get(name) === type);
}

/** The whole line or, if the disk is full, nothing of it. A tail torn by a power cut stays a separate line. */
function appendLine(file: string, line: string): void {
  const fd = openSync(file, 'a+', 0o600);
  const { size } = fstatSync(fd);
  try {
    const text = size === 0 || endsWithNewline(fd, size) ? `${line}\n` : `\n${line}\n`;
    writeAll(realDisk, fd, Buffer.from(text));
    fdatasyncSync(fd);
  } catch (error) {
    ftruncateSync(fd, size);
    throw error;
  } finally {
    closeSync(fd);
  }
}

function endsWithNewline(fd: number, size: number): boolean {
  const last = Buffer.alloc(1);
  readSync(fd, last, 0, 1, size - 1);
  return last[0] === 0x0a;
}

function openSides(folder: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return {
    put: (text: string): string => {
      const name = createHash('sha256').update(text).digest('hex').slice(0, 32);
      const file = path.join(folder, name);
      if (!existsSync(file)) writeDurably(file, text);
      return name;
    },
    get: (name: string): string => readFileSync(path.join(folder, path.basename(name)), 'utf8'),
    keep: (names: ReadonlySet<string>): void => {
      for (const name of readdirSync(folder)) if (!names.has(name)) rmSync(path.join(folder, name), { force: true });
    },
  };
}
