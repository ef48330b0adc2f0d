import { type Disk, realDisk } from '@attractor/system';
import type { DamagedRecord, JournalRecord } from './journal.ts';
import { livenessOf, readRewinds, rewindOf, type Rewind } from './live-records.ts';
import { defineOutput } from './late-output.ts';
import { journalLines, type LinePlace } from './journal-lines.ts';
import { outlinedLines, readOutput, type OutlinedLine } from './outline.ts';
import { lostText, openBeside, restore, sideFolder } from './side-files.ts';

export type JournalContent = {
  readonly records: ReadonlyArray<JournalRecord>;
  readonly damaged: ReadonlyArray<DamagedRecord>;
};

/** The whole conversation in a journal. Needs no lock: viewers use it. A missing file is an empty journal. */
export function readJournal(file: string, afterSeq = 0): JournalContent {
  const damaged: DamagedRecord[] = [];
  const records = [...readRecords(file, { afterSeq, onDamage: (one) => void damaged.push(one) })];
  return { records, damaged };
}

export type ReadOptions = {
  /** 0 leaves out the header; -1 returns everything. */
  readonly afterSeq?: number;
  readonly disk?: Disk;
  readonly onDamage?: (damaged: DamagedRecord) => void;
};

/** The records of the current conversation, one by one, in the order of `seq`, none twice; needs memory for one record. */
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

export type OutlineOptions = {
  readonly disk?: Disk;
  /** Called at the end with what is damaged. */
  readonly onRead?: (damaged: ReadonlyArray<DamagedRecord>) => void;
};

/**
 * The same records for a fold: a tool call's large output is read from the file on first access, and a call's start has only the call and
 * the tool. For an output in a side file only its existence is checked beforehand. Null means: discard everything so far, because a rewind
 * was found and the fold starts again. So a journal without one is read only once.
 */
export function* outlineRecords(file: string, options: OutlineOptions = {}): Generator<JournalRecord | null, void> {
  const { disk = realDisk, onRead } = options;
  let rewinds: ReadonlyArray<Rewind> | null = null;
  for (let ended = false; !ended;) {
    const reading = outlineReading({ disk, file, rewinds: rewinds ?? [] });
    ended = true;
    for (const line of outlinedLines(disk, file)) {
      const record = reading.recordOf(line);
      if (record === null) continue;
      ended = rewinds !== null || rewindOf(record) === null;
      if (!ended) break;
      yield record;
    }
    if (ended) return onRead?.(reading.damaged);
    yield null;
    rewinds = readRewinds(disk, file);
  }
}

type OutlineReading = {
  readonly damaged: ReadonlyArray<DamagedRecord>;
  /** Null if the line adds nothing to the conversation. */
  readonly recordOf: (line: OutlinedLine) => JournalRecord | null;
};

type Read = { readonly disk: Disk; readonly file: string; readonly rewinds: ReadonlyArray<Rewind> };

function outlineReading({ disk, file, rewinds }: Read): OutlineReading {
  const isLive = livenessOf(rewinds);
  const beside = openBeside(disk, sideFolder(file));
  const withOutput = (record: JournalRecord, place: LinePlace): JournalRecord => {
    defineOutput(record.event, () => readOutput(disk, file, place) ?? lostText(place.bytes));
    return record;
  };
  const damaged: DamagedRecord[] = [];
  let last = 0;
  return {
    damaged,
    recordOf: ({ number, bytes, record: stored, left }) => {
      if (stored === null) damaged.push({ line: number, bytes });
      if (stored === null || stored.seq <= last) return null;
      last = stored.seq;
      if (!isLive(last)) return null;
      if (left !== undefined) return withOutput(stored, left);
      const { record, lost } = beside.outline(stored);
      if (lost > 0) damaged.push({ line: number, bytes });
      return record;
    },
  };
}
