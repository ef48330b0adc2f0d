import type { JournalRecord } from '../journal/journal.ts';
import type { FileJournal } from '../journal/file-journal.ts';
import { realDisk } from '../journal/disk.ts';
import { journalLines } from '../journal/journal-lines.ts';
import { REWOUND, rewindOf } from '../journal/live-records.ts';
import type { RewindOptions, Rewound, SessionsResult } from './contract.ts';
import { inputState } from './input-state.ts';
import { failure } from './place.ts';
import { pointAt, type Point } from './point.ts';
import { countTurn, NO_TURNS } from './turns.ts';

/** Takes the conversation back to a turn, or forward again, by a record that says so. Nothing is lost: what is left out stays in the file. */
export function rewindSession(journal: FileJournal, options: RewindOptions): SessionsResult<Rewound> {
  const point = 'redo' in options ? pointBeforeRewind(journal) : pointAt(journal.records(), options.turn);
  if (!point.ok) return point;
  const { turn, turns, seq: toSeq } = point.value;
  let seq = lastSeqOf(journal);
  if (toSeq > seq || ('turn' in options && turn === turns))
    return { ok: true, value: { turn, turnsBefore: turns, seq } };
  write(journal, { seq: ++seq, event: { kind: REWOUND, toSeq, turn } });
  if (isInputOpen(journal.records())) write(journal, { seq: ++seq, event: { kind: 'PROCESSING_END' } });
  journal.sync();
  return { ok: true, value: { turn: countOf(journal), turnsBefore: turns, seq } };
}

/** What the last rewind left out, as long as nothing was said since. */
function pointBeforeRewind(journal: FileJournal): SessionsResult<Point> {
  let last: JournalRecord | null = null;
  let spoken = false;
  for (const record of journal.records()) {
    const isRewind = rewindOf(record) !== null;
    if (isRewind) last = record;
    spoken = isRewind ? false : spoken || countTurn(NO_TURNS, record).turns > 0;
  }
  if (last === null) return failure('invalid', 'There is nothing to redo: the conversation was not rewound.');
  if (spoken) return failure('invalid', 'There is nothing to redo: the conversation went on after it was rewound.');
  return { ok: true, value: { turn: 0, seq: last.seq - 1, turns: countOf(journal) } };
}

function write(journal: FileJournal, record: Pick<JournalRecord, 'seq' | 'event'>): void {
  journal.appendRecord({ v: 1, at: new Date().toISOString(), ...record });
}

function lastSeqOf(journal: FileJournal): number {
  let last = 0;
  for (const { record } of journalLines(realDisk, journal.path)) last = Math.max(last, record?.seq ?? 0);
  return last;
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
