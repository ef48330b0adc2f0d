import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { newId } from '../id.ts';
import { realDisk, writeAll } from '../journal/disk.ts';
import { decodeRecord, encodeRecord } from '../journal/record.ts';
import type { SessionsResult } from './contract.ts';
import { lineFor } from './copy-lines.ts';
import { headerOf } from './header.ts';
import { failure, folderOf, isSessionId } from './place.ts';
import { draftSession, type SessionDraft } from './write-session.ts';

/** Takes in what `exportLines` gave, all of it or nothing. Every record, every large string and the count of both are checked. */
export function importLines(home: string, lines: Iterable<string>): SessionsResult<{ readonly id: string }> {
  const draft = draftSession(home);
  const intake: Intake = { home, draft, id: null, next: 0, records: 0, blob: null, blobs: new Set(), ended: false };
  try {
    let number = 0;
    for (const line of lines) {
      number++;
      if (line.trim() === '') continue;
      const problem = take(intake, line.trimEnd());
      if (problem !== null) return failure('invalid', `Line ${number} ${problem}: export the session again.`);
    }
    if (intake.id === null || !intake.ended)
      return failure('invalid', 'The file ends before the session does: export it again.');
    draft.publish(intake.id);
    return { ok: true, value: { id: intake.id } };
  } finally {
    if (intake.blob !== null) closeSync(intake.blob.fd);
    draft.discard();
  }
}

type Intake = {
  readonly home: string;
  readonly draft: SessionDraft;
  readonly blobs: Set<string>;
  id: string | null;
  /** Records come in order: the next has at least this `seq`. */
  next: number;
  records: number;
  blob: { readonly sha256: string; readonly fd: number } | null;
  ended: boolean;
};

/** What is wrong with the line, or null. */
function take(intake: Intake, line: string): string | null {
  if (intake.ended) return 'stands behind the end';
  if (intake.id !== null && line.startsWith('{"v":')) return takeRecord(intake, line);
  const value = parse(line);
  if (value === null) return 'is no JSON object';
  if (intake.id === null) return takeHead(intake, value);
  if (typeof value['blob'] === 'string') return takeBlob(intake, value['blob'], value['data']);
  return takeEnd(intake, value);
}

function takeHead(intake: Intake, value: Readonly<Record<string, unknown>>): string | null {
  const { attractor, v, id } = value;
  if (attractor !== 'session' || v !== 1) return 'does not say that this is a session (of version 1)';
  if (typeof id !== 'string' || !isSessionId(id)) return 'names no valid session id';
  intake.id = existsSync(folderOf(intake.home, id)) ? newId('ses') : id;
  return null;
}

function takeBlob(intake: Intake, sha256: string, data: unknown): string | null {
  if (!/^[0-9a-f]{64}$/.test(sha256) || typeof data !== 'string') return 'is no part of a large string';
  if (intake.blob?.sha256 !== sha256) {
    const problem = endBlob(intake);
    if (problem !== null) return problem;
    if (intake.blobs.has(sha256)) return 'repeats a large string';
    intake.blob = { sha256, fd: openSync(path.join(intake.draft.blobs, sha256), 'wx', 0o600) };
  }
  writeAll(realDisk, intake.blob.fd, Buffer.from(data, 'base64'));
  return null;
}

function endBlob(intake: Intake): string | null {
  if (intake.blob === null) return null;
  const { sha256, fd } = intake.blob;
  intake.blob = null;
  realDisk.sync(fd);
  closeSync(fd);
  intake.blobs.add(sha256);
  const found = createHash('sha256')
    .update(readFileSync(path.join(intake.draft.blobs, sha256)))
    .digest('hex');
  return found === sha256 ? null : 'follows a large string that is damaged';
}

function takeRecord(intake: Intake, line: string): string | null {
  const problem = endBlob(intake);
  if (problem !== null) return problem;
  const record = decodeRecord(line);
  if (record === null) return 'is a damaged record';
  if (record.seq < intake.next) return 'is out of order';
  if (record.seq > 0 && intake.next === 0) intake.draft.write(encodeRecord(headerOf(intake.id ?? '', { cwd: '' })));
  intake.next = record.seq + 1;
  intake.records++;
  intake.draft.write(lineFor(intake.id ?? '', line));
  return null;
}

function takeEnd(intake: Intake, value: Readonly<Record<string, unknown>>): string | null {
  const problem = endBlob(intake);
  if (problem !== null) return problem;
  if (value['end'] !== true) return 'is of an unknown kind';
  if (value['records'] !== intake.records || value['blobs'] !== intake.blobs.size) return 'counts more than there was';
  intake.ended = true;
  return null;
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
