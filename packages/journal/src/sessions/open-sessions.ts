import { statSync } from 'node:fs';
import { newId } from '@attractor/base/id';
import { realDisk } from '@attractor/system';
import { openJournal, type FileJournal } from '../journal/file-journal.ts';
import { journalLines } from '../journal/journal-lines.ts';
import { readRecords } from '../journal/read-journal.ts';
import type {
  CreateOptions,
  HeldSession,
  ListOptions,
  RewindOptions,
  Rewound,
  SessionAbout,
  Sessions,
  SessionsResult,
  SessionSummary,
} from './contract.ts';
import { deleteSession } from './delete.ts';
import { exportLines } from './export-file.ts';
import { followJournal } from './follow.ts';
import { forkSession } from './fork.ts';
import { aboutOf, headerOf } from './header.ts';
import { importLines } from './import-file.ts';
import { namedTurn } from './named-turn.ts';
import { catchDiskErrors, failure, folderOf, isSessionId, journalOf, resolveId, sessionIds } from './place.ts';
import { redoableOf, rewindSession } from './rewind.ts';
import { searchSessions } from './search.ts';
import { noteSummary, readSummary } from './summary-cache.ts';
import { turnsOf } from './turns.ts';

/** The sessions under a home folder. Nothing is created or read before it is needed. */
export function openSessions({ home }: { readonly home: string }): Sessions {
  const named = <Value>(id: string, work: (id: string) => SessionsResult<Value>): SessionsResult<Value> =>
    catchDiskErrors(() => {
      const found = resolveId(home, id);
      return found.ok ? work(found.value) : found;
    });
  const on: typeof named = (id, work) => named(id, (known) => misplaced(home, known) ?? work(known));
  return {
    create: (options) => catchDiskErrors(() => create(home, options)),
    open: (id) => on(id, (known) => hold(home, known)),
    find: (id) => on(id, (known) => ({ ok: true, value: readSummary(home, known) })),
    list: (options) => list(home, options),
    latest: (cwd) => list(home, { cwd, limit: 1 })[0] ?? null,
    turns: (id) => turnsOf(readRecords(journalOf(home, id))),
    namedTurn: (id, wanted) =>
      on(id, (known) =>
        namedTurn({ home, id: known, aboutOf: (one) => beginning(journalOf(home, one)).about }, wanted),
      ),
    search: (text, options) => searchSessions(home, list(home, options), text),
    follow: (id, options) => followJournal(journalOf(home, id), options),
    fork: (id, options = {}) =>
      on(id, (known) => forkSession({ home, id: known, about: beginning(journalOf(home, known)).about }, options)),
    rewind: (id, options) => on(id, (known) => rewind({ home, id: known }, options)),
    rename: (id, title) => on(id, (known) => rename({ home, id: known }, title)),
    redoable: (id) => on(id, (known) => ({ ok: true, value: redoableOf(journalOf(home, known)) })),
    export: (id) => on(id, (known) => ({ ok: true, value: exportLines(journalOf(home, known), known) })),
    import: (lines) => catchDiskErrors(() => importLines(home, lines)),
    delete: (id, options = {}) => named(id, (known) => ({ ok: true, value: deleteSession(home, known, options) })),
  };
}

/** Why a session can't be read: a folder is where its journal should be. Null: it can. */
function misplaced(home: string, id: string): ReturnType<typeof failure> | null {
  const file = journalOf(home, id);
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return null;
  const todo = `replace it with a copy of the file, or delete the session: \`attractor sessions delete ${id}\``;
  return failure('failed', `The session ${id} can't be read because ${file} is a folder: ${todo}.`);
}

function create(home: string, { sessionId, ...about }: CreateOptions): SessionsResult<HeldSession> {
  const id = sessionId ?? newId('ses');
  if (!isSessionId(id))
    return failure('invalid', `${JSON.stringify(id)} can't be a session id: use letters, digits, - and _.`);
  return holding({ home, id }, (journal) => {
    if (statSync(journal.path).size > 0)
      return failure('conflict', `There is a session ${id} already: resume it, or choose another id.`);
    journal.appendRecord(headerOf(id, about));
    return { ok: true, value: { id, folder: folderOf(home, id), about, journal, isNew: true } };
  });
}

function hold(home: string, id: string): SessionsResult<HeldSession> {
  return holding({ home, id }, (journal) => {
    return { ok: true, value: { id, folder: folderOf(home, id), journal, ...beginning(journal.path) } };
  });
}

type Place = { readonly home: string; readonly id: string };

/** Holds the journal, and releases it if the work on it fails. */
function holding<Value>(
  { home, id }: Place,
  work: (journal: FileJournal) => SessionsResult<Value>,
): SessionsResult<Value> {
  const journal = openJournal(journalOf(home, id), { onClosed: () => noteSummary(home, id) });
  let done = false;
  try {
    const result = work(journal);
    done = result.ok;
    return result;
  } finally {
    if (!done) journal.close();
  }
}

function rewind(place: Place, options: RewindOptions): SessionsResult<Rewound> {
  return holding(place, (journal) => {
    const result = rewindSession(journal, options);
    journal.close();
    return result;
  });
}

function rename(place: Place, title: string): SessionsResult<{ readonly id: string }> {
  return holding(place, (journal) => {
    const seq = readSummary(place.home, place.id).lastSeq + 1;
    journal.appendRecord({ v: 1, seq, at: new Date().toISOString(), event: { kind: 'CONFIGURED', title } });
    journal.close();
    return { ok: true, value: { id: place.id } };
  });
}

/** What the first records say. A session without a readable header can be resumed; its folder is then unknown. */
function beginning(journal: string): { readonly about: SessionAbout; readonly isNew: boolean } {
  let about: SessionAbout = { cwd: '' };
  for (const { record } of journalLines(realDisk, journal)) {
    if (record !== null && record.seq > 0) return { about, isNew: false };
    about = (record === null ? null : aboutOf(record)) ?? about;
  }
  return { about, isNew: true };
}

/** Newest first; at the same moment, the one created last. */
function list(home: string, { cwd, limit = Infinity }: ListOptions = {}): ReadonlyArray<SessionSummary> {
  return sessionIds(home)
    .flatMap((id) => summaryOrNone(home, id))
    .filter((summary) => cwd === undefined || summary.cwd === cwd)
    .toSorted((a, b) => order(b.updatedAt, a.updatedAt) || order(b.id, a.id))
    .slice(0, limit);
}

function order(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** None if it was deleted meanwhile or can't be read: one bad session must not hide the others. */
function summaryOrNone(home: string, id: string): ReadonlyArray<SessionSummary> {
  try {
    return [readSummary(home, id)];
  } catch {
    return [];
  }
}
