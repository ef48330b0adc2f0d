import { copyFileSync, existsSync, linkSync } from 'node:fs';
import path from 'node:path';
import { newId } from '../id.ts';
import { codeOf, realDisk } from '../journal/disk.ts';
import { journalLines } from '../journal/journal-lines.ts';
import { livenessOf, readRewinds } from '../journal/live-records.ts';
import { readRecords } from '../journal/read-journal.ts';
import { encodeRecord } from '../journal/record.ts';
import { sideFolder } from '../journal/side-files.ts';
import type { Forked, ForkOptions, SessionAbout, SessionsResult } from './contract.ts';
import { lineFor } from './copy-lines.ts';
import { headerOf } from './header.ts';
import { inputState } from './input-state.ts';
import { failure, folderOf, isSessionId, journalOf } from './place.ts';
import { pointAt, type Point } from './point.ts';
import { draftSession, type SessionDraft } from './write-session.ts';

export type Source = { readonly home: string; readonly id: string; readonly about: SessionAbout };

/**
 * A session of its own that shares the past with another up to a turn. Records are copied byte for byte, so that the model is sent the
 * same prefix; large strings are shared. It is idle: nothing that the other had begun goes on here.
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
  let last = 0;
  draft.write(encodeRecord(headerOf(id, { ...about, forkedFrom: { sessionId: from, turn } })));
  for (const { record, text } of journalLines(realDisk, journal)) {
    if (record === null || record.seq <= last || record.seq > lastSeq || !isLive(record.seq)) continue;
    last = record.seq;
    for (const { sha256 } of record.side ?? [])
      share(path.join(sideFolder(journal), sha256), path.join(draft.blobs, sha256));
    state.see(record);
    draft.write(lineFor(id, text));
  }
  if (state.isOpen()) {
    const end = { v: 1, seq: last + 1, at: new Date().toISOString(), event: { kind: 'PROCESSING_END' } };
    draft.write(encodeRecord(end));
  }
}

/** Files of content never change: one is enough for both. A lost one stays lost. */
function share(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (codeOf(error) === 'EEXIST' || codeOf(error) === 'ENOENT') return;
    copyFileSync(from, to);
  }
}
