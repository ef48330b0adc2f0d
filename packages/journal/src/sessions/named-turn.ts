import { readRecords } from '../journal/read-journal.ts';
import type { JournalRecord } from '../journal/journal.ts';
import type { NamedTurn, SessionAbout, SessionsResult } from './contract.ts';
import { failure, journalOf } from './place.ts';
import { isNamed } from './record-names.ts';
import { turnsOf } from './turns.ts';

type Known = { readonly home: string; readonly id: string; readonly aboutOf: (id: string) => SessionAbout };

/** The turn that a record belongs to, by the record's name. A call and its results are one. */
export function namedTurn({ home, id, aboutOf }: Known, { uuid, drops }: NamedTurn): SessionsResult<number> {
  const ids = ancestry(id, aboutOf);
  const records = (): Iterable<JournalRecord> => readRecords(journalOf(home, id));
  const seq = seqOf(records(), uuid, ids);
  const entry = seq === null ? undefined : Iterator.from(turnsOf(records())).find((one) => seq <= one.endSeq);
  if (entry === undefined) return failure('not_found', `No message of the session ${id} has the uuid ${uuid}.`);
  if (drops === undefined) return { ok: true, value: entry.turn };
  const stray = strayAfter(records(), entry.endSeq, { drops, ids });
  if (stray === null) return { ok: true, value: entry.turn };
  return failure('conflict', `Resume rejected by --resume-drops-turn: ${stray}`);
}

/** The session, and those that it was copied from: a copied record keeps its place, and so its name there. */
function ancestry(id: string, aboutOf: Known['aboutOf']): ReadonlyArray<string> {
  const ids = [id];
  for (let from = aboutOf(id).forkedFrom; from !== undefined; from = aboutOf(from.sessionId).forkedFrom) {
    if (ids.includes(from.sessionId)) break;
    ids.push(from.sessionId);
  }
  return ids;
}

function seqOf(records: Iterable<JournalRecord>, uuid: string, ids: ReadonlyArray<string>): number | null {
  for (const record of records) if (isNamed(record, uuid, ids)) return record.seq;
  return null;
}

type Dropping = { readonly drops: string; readonly ids: ReadonlyArray<string> };

/** What a person said after the place, other than the one prompt that is to be dropped. */
function strayAfter(records: Iterable<JournalRecord>, seq: number, { drops, ids }: Dropping): string | null {
  for (const record of records) {
    const { kind, source } = record.event;
    if (record.seq <= seq) continue;
    if (kind === 'STEERING_INJECTED' && source === undefined) return 'something was said while that turn was answered.';
    if (kind === 'USER_INPUT' && !isNamed(record, drops, ids)) return `another prompt than ${drops} follows.`;
  }
  return null;
}
