import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { holderOf, realDisk } from '@attractor/system';
import type { JournalRecord } from '../journal/journal.ts';
import { rewindOf } from '../journal/live-records.ts';

import { outlinedLines } from '../journal/outline.ts';
import { outlineRecords } from '../journal/read-journal.ts';
import type { StoredRecord } from '../journal/record.ts';
import { restore, sideFolder } from '../journal/side-files.ts';
import type { SessionSummary } from './contract.ts';
import { folderOf, journalOf } from './place.ts';
import { emptySummary, summarise, type SummaryFold } from './summary.ts';
import { countTurn, NO_TURNS, type TurnCount } from './turns.ts';

/**
 * `meta.json`: a summary and how much of the journal it covers. A journal only grows, so a cache that covers less is extended from there;
 * one that is missing, damaged, of another version or covers more than exists is rebuilt. Only speed depends on it.
 */
type Cache = {
  readonly v: 1;
  readonly covers: number;
  readonly lastSeq: number;
  readonly count: TurnCount;
  readonly fold: SummaryFold;
};

export function readSummary(home: string, id: string): SessionSummary {
  const cache = cacheOf(home, id, Infinity);
  const folder = folderOf(home, id);
  const writer = holderOf(`${journalOf(home, id)}.lock`)?.pid ?? null;
  return { ...cache.fold, id, folder, turns: cache.count.turns, lastSeq: cache.lastSeq, writer };
}

/** Closing a session never waits longer than reading this much takes. */
const NOTED_BYTES = 16 << 20;

/** The writer of a session stores its summary, so that a list need not read what was written. */
export function noteSummary(home: string, id: string): void {
  try {
    cacheOf(home, id, NOTED_BYTES);
  } catch {
    // It was deleted, or can't be read: a list finds out.
  }
}

/** Reads on to the end of the journal, if that is at most `atMost` bytes away. */
function cacheOf(home: string, id: string, atMost: number): Cache {
  const journal = journalOf(home, id);
  const file = path.join(folderOf(home, id), 'meta.json');
  const { size } = statSync(journal);
  const known = readCache(file, size) ?? { v: 1, covers: 0, lastSeq: -1, count: NO_TURNS, fold: emptySummary(id) };
  if (known.covers === size || size - known.covers > atMost) return known;
  const cache = readOn(journal, known);
  if (cache.covers !== known.covers) writeCache(file, cache);
  return cache;
}

function readOn(journal: string, known: Cache): Cache {
  let { covers, lastSeq, count, fold } = known;
  let rewound = false;
  for (const { record: stored, whole, end } of outlinedLines(realDisk, journal, covers)) {
    if (!whole) break;
    covers = end;
    if (stored === null || stored.seq <= lastSeq) continue;
    lastSeq = stored.seq;
    const record = withTitle(journal, stored);
    fold = summarise(fold, record);
    count = countTurn(count, record);
    rewound ||= rewindOf(record) !== null;
  }
  return { v: 1, covers, lastSeq, count: rewound ? recount(journal, lastSeq) : count, fold };
}

/** Only an input's text is shown, so only that is read from its side file. */
function withTitle(journal: string, stored: StoredRecord): JournalRecord {
  return stored.event.kind === 'USER_INPUT' ? restore(realDisk, sideFolder(journal), stored).record : stored;
}

function recount(journal: string, lastSeq: number): TurnCount {
  let count = NO_TURNS;
  for (const record of outlineRecords(journal)) {
    if (record === null) count = NO_TURNS;
    else if (record.seq <= lastSeq) count = countTurn(count, record);
  }
  return count;
}

function readCache(file: string, size: number): Cache | null {
  try {
    const cache: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isCache(cache) && cache.covers <= size ? cache : null;
  } catch {
    return null;
  }
}

function isCache(value: unknown): value is Cache {
  if (typeof value !== 'object' || value === null) return false;
  return 'v' in value && value.v === 1 && 'covers' in value && typeof value.covers === 'number' && 'fold' in value;
}

function writeCache(file: string, cache: Cache): void {
  try {
    // A unique name: a lister and the writer of the session may both write it.
    const written = `${file}.new${process.pid}`;
    writeFileSync(written, JSON.stringify(cache), { mode: 0o600 });
    renameSync(written, file);
  } catch {
    // A home that can't be written can still be listed.
  }
}
