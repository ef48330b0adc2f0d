import { readFileSync, statSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { isRecord, messageOf } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { getModelInfo } from '@attractor/llm';
import { realDisk } from '@attractor/system';
import { encodeRecord, toRecord } from '../../journal/record.ts';
import { createSideFiles } from '../../journal/side-files.ts';
import { redactEvent } from '../../journal/redact-parts.ts';
import { createRedactor, type Redactor } from '@attractor/redact';
import type { SessionsResult } from '../contract.ts';
import { headerOf } from '../header.ts';
import { catchDiskErrors, failure } from '../place.ts';
import { draftSession } from '../write-session.ts';
import { readClaude } from './claude.ts';
import { readCodex } from './codex.ts';
import type { Fields, ForeignAgent, ForeignConversation } from './conversation.ts';
import { eventsOfSteps, type TimedEvent } from './events.ts';
import { readCline } from './cline.ts';
import { readGemini } from './gemini.ts';
import { readGoose } from './goose.ts';
import { readOpencode } from './opencode.ts';
import { readPi } from './pi.ts';
import { type DatabaseAgent, linesInDatabase } from './session-database.ts';

export type ForeignImport = {
  /** Where our sessions live. */
  readonly home: string;
  readonly from: ForeignAgent;
  readonly file: string;
  /** What our session is called. Absent: a new id. */
  readonly id?: string;
  /** Called once all is written, just before the session gets its id. */
  readonly makeRoom?: () => void;
  /** The folder of a conversation that names none. */
  readonly cwd?: string;
  /** Removes secrets from what is stored. Absent: one that only knows the forms of secrets. */
  readonly redactor?: Redactor;
};

export type ImportedSession = {
  readonly id: string;
  readonly cwd: string;
  readonly turns: number;
  /** What of the file is not in the session. */
  readonly left: ReadonlyArray<string>;
};

const READERS: Readonly<Record<ForeignAgent, (lines: ReadonlyArray<Fields>) => ForeignConversation>> = {
  claude: readClaude,
  codex: readCodex,
  gemini: readGemini,
  pi: readPi,
  opencode: readOpencode,
  goose: readGoose,
  cline: readCline,
};

/** One of our sessions with the conversation of another agent's file, whole or not at all. The file is only read. */
export function importForeignSession(order: ForeignImport): SessionsResult<ImportedSession> {
  const { from, file } = order;
  const read = isDatabase(order) ? readDatabase(order) : readLines(file);
  if (!read.ok) return read;
  const conversation = READERS[from]([...besideOf(file), ...read.value.lines]);
  const events = eventsOfSteps(conversation.steps);
  if (events.length === 0)
    return failure('invalid', `${file} holds no conversation of ${NAMES[from]}: give another file, or another --from.`);
  return catchDiskErrors(() => {
    const id = write(order, conversation);
    const turns = events.filter(({ event }) => event.kind === 'USER_INPUT').length;
    const { unread } = read.value;
    const torn = unread === 0 ? [] : [`${unread} ${unread === 1 ? 'line' : 'lines'} that can't be read`];
    return { ok: true, value: { id, cwd: conversation.cwd, turns, left: [...torn, ...conversation.left] } };
  });
}

const NAMES: Readonly<Record<ForeignAgent, string>> = {
  claude: 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  pi: 'pi',
  opencode: 'opencode',
  goose: 'goose',
  cline: 'Cline',
};

const MAX_BYTES = 512 << 20;

type Lines = { readonly lines: ReadonlyArray<Fields>; readonly unread: number };

const DATABASE = /^(.*\.db)(?:#(.+))?$/s;

function isDatabase(order: ForeignImport): order is ForeignImport & { readonly from: DatabaseAgent } {
  return (order.from === 'opencode' || order.from === 'goose') && DATABASE.test(order.file);
}

function readDatabase({ file, from }: ForeignImport & { readonly from: DatabaseAgent }): SessionsResult<Lines> {
  const [, database = file, id] = DATABASE.exec(file) ?? [];
  try {
    return { ok: true, value: { lines: linesInDatabase(database, from, id), unread: 0 } };
  } catch (error) {
    return failure('not_found', `${file} can't be read (${messageOf(error)}).`);
  }
}

/** Cline keeps the folder of a conversation in a file of its own. */
function besideOf(file: string): ReadonlyArray<Fields> {
  const beside = file.replace(/\.messages\.json$/, '.json');
  const read = beside === file ? null : readLines(beside);
  return read?.ok === true ? read.value.lines : [];
}

/** JSON lines, compressed or not, or one JSON object, or a list of them, over many lines. */
function readLines(file: string): SessionsResult<Lines> {
  let text: string;
  try {
    if (statSync(file).size > MAX_BYTES) return failure('invalid', `${file} is larger than ${MAX_BYTES >> 20} MB.`);
    const bytes = readFileSync(file);
    const isPacked = file.endsWith('.zst');
    text = (isPacked ? zstdDecompressSync(bytes, { maxOutputLength: MAX_BYTES }) : bytes).toString('utf8');
  } catch (error) {
    const why = messageOf(error);
    return failure('not_found', `${file} can't be read (${why}).`);
  }
  const whole = parse(text);
  if (whole !== null) return { ok: true, value: { lines: [whole], unread: 0 } };
  const list = listOf(text);
  if (list !== null) return { ok: true, value: { lines: list, unread: 0 } };
  const rows = text.split('\n').filter((line) => line.trim() !== '');
  const lines = rows.map(parse).filter((line) => line !== null);
  return { ok: true, value: { lines, unread: rows.length - lines.length } };
}

function parse(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

function listOf(text: string): ReadonlyArray<Fields> | null {
  if (!text.trimStart().startsWith('[')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isRecord) : null;
  } catch {
    return null;
  }
}

function write(
  { home, id: given, redactor = createRedactor(), ...order }: ForeignImport,
  conversation: ForeignConversation,
): string {
  const id = given ?? newId('ses');
  const { provider, model, steps } = conversation;
  const cwd = conversation.cwd === '' ? (order.cwd ?? '') : conversation.cwd;
  // A transcript that is continued under its own id may be ours, of any service: that of an unknown model is not guessed.
  const isGuess = given !== undefined && getModelInfo(model ?? '') === undefined && !/claude/i.test(model ?? '');
  const by = isGuess ? {} : { provider, ...(model === null ? {} : { model }) };
  const draft = draftSession(home);
  try {
    const { lift } = createSideFiles(realDisk, draft.blobs);
    draft.write(encodeRecord(headerOf(id, { cwd, ...by })));
    const began: TimedEvent = { at: steps[0]?.at ?? '', event: { kind: 'SESSION_START', sessionId: id } };
    let seq = 0;
    for (const { at, event, uuid } of [began, ...eventsOfSteps(steps)]) {
      seq += 1;
      const record = toRecord({ ...redactEvent(event, redactor), seq, at: timeOf(at), sessionId: id });
      const named = uuid === undefined ? record : { ...record, event: { ...record.event, key: uuid } };
      draft.write(encodeRecord(lift(named)));
    }
    order.makeRoom?.();
    draft.publish(id);
    return id;
  } finally {
    draft.discard();
  }
}

function timeOf(at: string): string {
  const time = new Date(at);
  return Number.isNaN(time.getTime()) ? new Date(0).toISOString() : time.toISOString();
}
