import { realDisk, type Disk } from './disk.ts';
import type { DamagedRecord, JournalRecord } from './journal.ts';
import { journalLines } from './journal-lines.ts';
import { livenessOf, readRewinds, rewindOf, type Rewind } from './live-records.ts';
import { defineOutput } from './late-output.ts';
import { outlinedLines, readOutput } from './outline.ts';
import { lostText, openBeside, restore, sideFolder } from './side-files.ts';

export type JournalContent = {
  readonly records: ReadonlyArray<JournalRecord>;
  readonly damaged: ReadonlyArray<DamagedRecord>;
};

/** The whole conversation that a journal holds. Needs no lock: viewers use it. A missing file is an empty journal. */
export function readJournal(file: string, afterSeq = 0): JournalContent {
  const damaged: DamagedRecord[] = [];
  const records = [...readRecords(file, { afterSeq, onDamage: (one) => void damaged.push(one) })];
  return { records, damaged };
}

export type ReadOptions = {
  /** 0 leaves out the header; -1 gives all. */
  readonly afterSeq?: number;
  readonly disk?: Disk;
  readonly onDamage?: (damaged: DamagedRecord) => void;
};

/** The records of the conversation as it stands, one by one, in the order of `seq`, none twice; memory for one record. */
export function* readRecords(file: string, options: ReadOptions = {}): Generator<JournalRecord, void> {
  const { afterSeq = 0, disk = realDisk, onDamage } = options;
  const isLive = livenessOf(readRewinds(disk, file));
  const folder = sideFolder(file);
  let last = afterSeq;
  for (const { number, bytes, record: stored } of journalLines(disk, file)) {
    if (stored === null) {
      onDamage?.({ line: number, bytes });
      continue;
    }
    if (stored.seq <= last) continue;
    last = stored.seq;
    if (!isLive(stored.seq)) continue;
    const { record, lost } = restore(disk, folder, stored);
    if (lost > 0) onDamage?.({ line: number, bytes });
    yield record;
  }
}

/**
 * The same records for whoever folds them: what a large output of a tool call is, is read from the file when it is looked at, and the
 * large arguments that a call's start repeats are empty. Of an output that stands beside the journal only the presence is checked before.
 * Null says that all before it is to be forgotten: a rewind was found, and it begins anew. So a journal without one is read only once.
 */
export function* outlineRecords(
  file: string,
  options: Omit<ReadOptions, 'afterSeq'> = {},
): Generator<JournalRecord | null, void> {
  const { disk = realDisk, onDamage } = options;
  let damaged = yield* outlineOnce(disk, file, null);
  if (damaged === null) {
    yield null;
    damaged = yield* outlineOnce(disk, file, readRewinds(disk, file));
  }
  for (const one of damaged ?? []) onDamage?.(one);
}

/** Ends with what was damaged; at the first rewind, where none are known, with null. */
function* outlineOnce(
  disk: Disk,
  file: string,
  rewinds: ReadonlyArray<Rewind> | null,
): Generator<JournalRecord, ReadonlyArray<DamagedRecord> | null> {
  const isLive = livenessOf(rewinds ?? []);
  const beside = openBeside(disk, sideFolder(file));
  const damaged: DamagedRecord[] = [];
  let last = 0;
  for (const { number, bytes, record: stored, left } of outlinedLines(disk, file)) {
    if (stored === null) {
      damaged.push({ line: number, bytes });
      continue;
    }
    if (stored.seq <= last) continue;
    last = stored.seq;
    if (rewinds === null && rewindOf(stored) !== null) return null;
    if (!isLive(stored.seq)) continue;
    const { record, lost } = left === undefined ? beside.outline(stored) : { record: stored, lost: 0 };
    if (lost > 0) damaged.push({ line: number, bytes });
    if (left !== undefined) defineOutput(record.event, () => readOutput(disk, file, left) ?? lostText(left.bytes));
    yield record;
  }
  return damaged;
}
