import type { JournalRecord } from '../journal/journal.ts';
import type { FileJournal } from '../journal/file-journal.ts';
import { realDisk } from '@attractor/system';
import { outlinedLines } from '../journal/outline.ts';
import { REWOUND, rewindOf } from '../journal/live-records.ts';
import type { Redoable, RewindOptions, Rewound, SessionsResult } from './contract.ts';
import { inputState } from './input-state.ts';
import { failure } from './place.ts';
import { pointAt, type Point } from './point.ts';
import { countTurn, NO_TURNS } from './turns.ts';

/** Takes the conversation back to a turn, or forward again, by appending a record. Nothing is lost: what is left out stays in the file. */
export function rewindSession(journal: FileJournal, options: RewindOptions): SessionsResult<Rewound> {
  const ways = waysBack(journal.path);
  if ('files' in options) return noteFiles(journal, ways);
  const isBack = 'turn' in options;
  const point = isBack ? pointAt(journal.records(), options.turn) : pointBeforeRewind(journal, ways, options);
  if (!point.ok) return point;
  const { turn, turns, seq: toSeq } = point.value;
  let seq = ways.lastSeq;
  if (toSeq > seq || (isBack && turn === turns)) return { ok: true, value: { turn, turnsBefore: turns, seq } };
  write(journal, { seq: ++seq, event: { kind: REWOUND, toSeq, turn, ...(isBack ? {} : options) } });
  if (isInputOpen(journal.records())) write(journal, { seq: ++seq, event: { kind: 'PROCESSING_END' } });
  journal.sync();
  return { ok: true, value: { turn: countOf(journal), turnsBefore: turns, seq } };
}

/** The last rewind that was not undone, as long as nothing was said since. */
export function redoableOf(file: string): Redoable {
  const { open, spokenSeq } = waysBack(file);
  return { seq: open.at(-1)?.endSeq ?? null, spokenSeq };
}

/** Other code rewinds the files: their rewind gets its own place in the order of events. */
function noteFiles(journal: FileJournal, { lastSeq }: Ways): SessionsResult<Rewound> {
  const seq = lastSeq + 1;
  write(journal, { seq, event: { kind: FILES_REWOUND } });
  journal.sync();
  const turns = countOf(journal);
  return { ok: true, value: { turn: turns, turnsBefore: turns, seq } };
}

const FILES_REWOUND = 'FILES_REWOUND';

function pointBeforeRewind(
  journal: FileJournal,
  { open, last, spokenSeq }: Ways,
  wish: Exclude<RewindOptions, { readonly turn: number }>,
): SessionsResult<Point> {
  const way = 'takeBack' in wish ? last : open.at(-1);
  if (way !== null && way !== undefined)
    return { ok: true, value: { turn: 0, seq: way.seq - 1, turns: countOf(journal) } };
  const why =
    last === null
      ? 'the conversation was not rewound'
      : spokenSeq > last.seq
        ? 'the conversation went on after it was rewound'
        : 'all that was rewound is back';
  return failure('invalid', `There is nothing to redo: ${why}.`);
}

/** The first and the last record of a rewind. */
type Way = { readonly seq: number; readonly endSeq: number };

/**
 * `open`: the rewinds that a redo would undo, newest last. A redo removes one, a new message removes all, and taking one back leaves them
 * as they were before. `last`: the newest rewind or redo. `spokenSeq`: of the newest turn, even if it was rewound.
 */
type Ways = {
  readonly open: ReadonlyArray<Way>;
  readonly last: Way | null;
  readonly spokenSeq: number;
  readonly lastSeq: number;
};

/** From all records, including those that are no longer part of the conversation. */
function waysBack(file: string): Ways {
  let open: ReadonlyArray<Way> = [];
  let before = open;
  let last: Way | null = null;
  let spokenSeq = 0;
  let lastSeq = 0;
  for (const { record } of outlinedLines(realDisk, file)) {
    if (record === null || record.seq <= lastSeq) continue;
    const { seq, event } = record;
    const isEnd = event.kind === 'PROCESSING_END' && open.at(-1)?.endSeq === seq - 1;
    lastSeq = seq;
    if (rewindOf(record) !== null) {
      const way = { seq, endSeq: seq };
      const after = event['takeBack'] === true ? before : event['redo'] === true ? open.slice(0, -1) : [...open, way];
      [before, open, last] = [open, after, way];
    } else if (isEnd) {
      open = open.map((way) => (way.endSeq === seq - 1 ? { ...way, endSeq: seq } : way));
    } else if (countTurn(NO_TURNS, record).turns > 0) {
      open = [];
      spokenSeq = seq;
    }
  }
  return { open, last, spokenSeq, lastSeq };
}

function write(journal: FileJournal, record: Pick<JournalRecord, 'seq' | 'event'>): void {
  journal.appendRecord({ v: 1, at: new Date().toISOString(), ...record });
}

function isInputOpen(records: Iterable<JournalRecord>): boolean {
  const state = inputState();
  for (const record of records) state.see(record);
  return state.isOpen();
}

function countOf(journal: FileJournal): number {
  let count = NO_TURNS;
  for (const record of journal.records()) count = countTurn(count, record);
  return count.turns;
}
