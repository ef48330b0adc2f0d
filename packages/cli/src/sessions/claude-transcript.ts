import {
  eventOf,
  journalOf,
  type JournalRecord,
  readRecords,
  recordUuid,
  type SessionSummary,
} from '@attractor/journal';
import { linesOf } from '@attractor/stream-json';
import { VERSION } from '../version.ts';

type Fields = Readonly<Record<string, unknown>>;

/** A session as a transcript of Claude Code: one entry for each thing that was said, each naming the one before. */
export function* claudeTranscript(home: string, session: SessionSummary): Generator<Fields, void> {
  const { id: sessionId, cwd, title } = session;
  const about = { sessionId, cwd, isSidechain: false, userType: 'external', version: VERSION };
  let parentUuid: string | null = null;
  for (const record of readRecords(journalOf(home, sessionId))) {
    const said = saidIn(record, sessionId);
    if (said === null) continue;
    const uuid = uuidOf(record, sessionId);
    yield { parentUuid, ...about, ...said, uuid, timestamp: record.at };
    parentUuid = uuid;
  }
  if (parentUuid !== null && title !== '') yield { type: 'custom-title', customTitle: title, sessionId };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Prompts keep the name that their sender gave them. */
function uuidOf({ seq, event }: JournalRecord, sessionId: string): string {
  const { key } = event;
  return typeof key === 'string' && UUID.test(key) ? key : recordUuid(sessionId, seq);
}

/** Null: nothing was said. */
function saidIn(record: JournalRecord, sessionId: string): Fields | null {
  const event = eventOf(record);
  if (event === null) return null;
  if (event.kind === 'USER_INPUT') return { type: 'user', message: { role: 'user', content: contentOf(event) } };
  if (event.kind === 'STEERING_INJECTED') {
    const isMeta = event.source === undefined ? {} : { isMeta: true };
    return { type: 'user', message: { role: 'user', content: event.content }, ...isMeta };
  }
  if (event.kind !== 'ASSISTANT_MESSAGE' && event.kind !== 'TOOL_CALL_END') return null;
  const { seq, at } = record;
  const [line] = linesOf({ ...event, seq, at, sessionId }, { partial: null, shorten: (_tool, output) => output });
  return line === undefined ? null : { type: line.type, message: line['message'] };
}

type Input = Extract<NonNullable<ReturnType<typeof eventOf>>, { readonly kind: 'USER_INPUT' }>;

function contentOf({ content, parts }: Input): unknown {
  if (parts === undefined) return content;
  return parts.flatMap((part): ReadonlyArray<Fields> => {
    if (part.kind === 'TEXT') return [{ type: 'text', text: part.text }];
    if (part.kind !== 'IMAGE') return [];
    const { data, mediaType, url } = Object(part.source);
    const source = url === undefined ? { type: 'base64', media_type: mediaType, data } : { type: 'url', url };
    return [{ type: 'image', source }];
  });
}
