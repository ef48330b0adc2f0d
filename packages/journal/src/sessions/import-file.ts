import { createHash } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { isRecord } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { realDisk, writeAll } from '@attractor/system';
import { decodeRecord, encodeRecord } from '../journal/record.ts';
import type { SessionsResult } from './contract.ts';
import { lineFor } from './copy-lines.ts';
import { headerOf } from './header.ts';
import { failure, folderOf, isSessionId } from './place.ts';
import { isSubagentName } from './subagent-names.ts';
import { draftSession, type JournalDraft, type SessionDraft } from './write-session.ts';

/** Imports the output of `exportLines`, all of it or nothing. Every record, every large string and the count of both are checked. */
export function importLines(home: string, lines: Iterable<string>): SessionsResult<{ readonly id: string }> {
  const draft = draftSession(home);
  const intake: Intake = {
    home,
    draft,
    part: draft,
    blobs: new Set(),
    subagents: new Set(),
    sums: { records: 0, blobs: 0 },
    id: null,
    next: 0,
    blob: null,
    ended: false,
  };
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
  /** The journal that is being imported: the session's own first, then those of its subagents. */
  part: JournalDraft;
  /** By folder and hash. */
  readonly blobs: Set<string>;
  readonly subagents: Set<string>;
  readonly sums: { records: number; blobs: number };
  id: string | null;
  /** Records come in order: the next has at least this `seq`. */
  next: number;
  blob: { readonly file: string; readonly sha256: string; readonly fd: number } | null;
  ended: boolean;
};

/** What is wrong with the line, or null. */
function take(intake: Intake, line: string): string | null {
  if (intake.ended) return 'stands behind the end';
  if (intake.id !== null && line.startsWith('{"v":')) return takeRecord(intake, line);
  const value = parse(line);
  if (value === null) return 'is not a JSON object';
  if (intake.id === null) return takeHead(intake, value);
  if (typeof value['blob'] === 'string') return takeBlob(intake, value['blob'], value['data']);
  if (typeof value['subagent'] === 'string') return takeSubagent(intake, value['subagent']);
  return takeEnd(intake, value);
}

function takeHead(intake: Intake, value: Readonly<Record<string, unknown>>): string | null {
  const { attractor, v, id } = value;
  if (attractor !== 'session' || v !== 1) return 'does not say that this is a session (of version 1)';
  if (typeof id !== 'string' || !isSessionId(id)) return 'names no valid session id';
  intake.id = existsSync(folderOf(intake.home, id)) ? newId('ses') : id;
  return null;
}

function takeSubagent(intake: Intake, name: string): string | null {
  const problem = endBlob(intake);
  if (problem !== null) return problem;
  if (!isSubagentName(name)) return 'names no valid subagent';
  if (intake.subagents.has(name)) return 'repeats a subagent';
  intake.subagents.add(name);
  intake.part = intake.draft.subagent(name);
  intake.next = 0;
  return null;
}

function takeBlob(intake: Intake, sha256: string, data: unknown): string | null {
  if (!/^[0-9a-f]{64}$/.test(sha256) || typeof data !== 'string') return 'is not part of a large string';
  if (intake.blob?.sha256 !== sha256) {
    const problem = endBlob(intake);
    if (problem !== null) return problem;
    const file = path.join(intake.part.blobs, sha256);
    if (intake.blobs.has(file)) return 'repeats a large string';
    intake.blob = { file, sha256, fd: openSync(file, 'wx', 0o600) };
  }
  writeAll(realDisk, intake.blob.fd, Buffer.from(data, 'base64'));
  return null;
}

function endBlob(intake: Intake): string | null {
  if (intake.blob === null) return null;
  const { file, sha256, fd } = intake.blob;
  intake.blob = null;
  realDisk.sync(fd);
  closeSync(fd);
  intake.blobs.add(file);
  intake.sums.blobs++;
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  return found === sha256 ? null : 'follows a large string that is damaged';
}

function takeRecord(intake: Intake, line: string): string | null {
  const problem = endBlob(intake);
  if (problem !== null) return problem;
  const record = decodeRecord(line);
  if (record === null) return 'is a damaged record';
  if (record.seq < intake.next) return 'is out of order';
  const isOwn = intake.part === intake.draft;
  if (isOwn && record.seq > 0 && intake.next === 0)
    intake.draft.write(encodeRecord(headerOf(intake.id ?? '', { cwd: '' })));
  intake.next = record.seq + 1;
  intake.sums.records++;
  intake.part.write(isOwn ? lineFor(intake.id ?? '', line) : `${line}\n`);
  return null;
}

function takeEnd(intake: Intake, value: Readonly<Record<string, unknown>>): string | null {
  const problem = endBlob(intake);
  if (problem !== null) return problem;
  if (value['end'] !== true) return 'is of an unknown kind';
  const { records, blobs, subagents = 0 } = value;
  const { sums } = intake;
  if (records !== sums.records || blobs !== sums.blobs || subagents !== intake.subagents.size)
    return 'counts more than there was';
  intake.ended = true;
  return null;
}

function parse(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
