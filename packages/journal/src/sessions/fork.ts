import { copyFileSync, existsSync, linkSync } from 'node:fs';
import path from 'node:path';
import { newId } from '@attractor/base/id';
import { codeOf, realDisk } from '@attractor/system';
import { journalLines } from '../journal/journal-lines.ts';
import { livenessOf, readRewinds } from '../journal/live-records.ts';
import { readRecords } from '../journal/read-journal.ts';
import { encodeRecord, type StoredRecord } from '../journal/record.ts';
import { sideFolder } from '../journal/side-files.ts';
import { subagentJournal } from '../journal/subagent-journals.ts';
import type { Forked, ForkOptions, SessionAbout, SessionsResult } from './contract.ts';
import { lineFor } from './copy-lines.ts';
import { headerOf } from './header.ts';
import { inputState } from './input-state.ts';
import { failure, folderOf, isSessionId, journalOf } from './place.ts';
import { pointAt, type Point } from './point.ts';
import { subagentNames } from './subagent-names.ts';
import { draftSession, type SessionDraft } from './write-session.ts';

export type Source = { readonly home: string; readonly id: string; readonly about: SessionAbout };

/**
 * A new session that shares the past with another up to a turn. Records are copied byte for byte, so that the model is sent the same
 * prefix; large strings are shared. The subagents of that past are copied in their current state, even if they were given more to do later.
 * It is idle: nothing that the other had begun continues here. Snapshots for undo and kept outputs stay with the other.
 */
export function forkSession(source: Source, options: ForkOptions): SessionsResult<Forked> {
  const { home } = source;
  const id = options.sessionId ?? newId('ses');
  if (!isSessionId(id))
    return failure('invalid', `${JSON.stringify(id)} can't be a session id: use letters, digits, - and _.`);
  if (existsSync(folderOf(home, id)))
    return failure('conflict', `There is a session ${id} already: choose another id.`);
  const point = pointAt(readRecords(journalOf(home, source.id)), options.turn ?? null);
  if (!point.ok) return point;
  const draft = draftSession(home);
  try {
    copyInto(draft, source, { id, ...point.value });
    draft.publish(id);
    return { ok: true, value: { id, turn: point.value.turn } };
  } finally {
    draft.discard();
  }
}

function copyInto(
  draft: SessionDraft,
  { home, id: from, about }: Source,
  point: Point & { readonly id: string },
): void {
  const { id, turn, seq: lastSeq } = point;
  const journal = journalOf(home, from);
  const isLive = livenessOf(readRewinds(realDisk, journal).filter(({ seq }) => seq <= lastSeq));
  const state = inputState();
  const children: string[] = [];
  let last = 0;
  draft.write(encodeRecord(headerOf(id, { ...about, forkedFrom: { sessionId: from, turn } })));
  for (const { record, text } of journalLines(realDisk, journal)) {
    if (record === null || record.seq <= last || record.seq > lastSeq || !isLive(record.seq)) continue;
    last = record.seq;
    for (const { sha256 } of record.side ?? [])
      share(path.join(sideFolder(journal), sha256), path.join(draft.blobs, sha256));
    state.see(record);
    children.push(...childOf(record));
    draft.write(lineFor(id, text));
  }
  if (state.isOpen()) {
    const end = { v: 1, seq: last + 1, at: new Date().toISOString(), event: { kind: 'PROCESSING_END' } };
    draft.write(encodeRecord(end));
  }
  copySubagents(draft, journal, children);
}

/** A subagent's own subagents are beside it. */
function copySubagents(draft: SessionDraft, journal: string, named: ReadonlyArray<string>): void {
  const known = new Set(subagentNames(journal));
  const left = [...named];
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    if (!known.delete(name)) continue;
    const file = subagentJournal(journal, name);
    const copy = draft.subagent(name);
    for (const { record, text } of journalLines(realDisk, file)) {
      if (record === null) continue;
      for (const { sha256 } of record.side ?? [])
        share(path.join(sideFolder(file), sha256), path.join(copy.blobs, sha256));
      left.push(...childOf(record));
      copy.write(`${text}\n`);
    }
  }
}

function childOf({ event }: StoredRecord): ReadonlyArray<string> {
  const { kind, childSessionId } = event;
  return kind === 'SUBAGENT_START' && typeof childSessionId === 'string' ? [childSessionId] : [];
}

/** Content files never change: one is enough for both. A lost one stays lost. */
function share(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return;
    copyFileSync(from, to);
  }
}
