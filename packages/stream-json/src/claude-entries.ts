import { type DeliveredEvent, recordUuid } from '@attractor/journal';
import { linesOf } from './event-lines.ts';

type Fields = Readonly<Record<string, unknown>>;

/** An entry of a transcript as Claude Code writes it. */
export type ClaudeEntry = Fields & { readonly type: string; readonly uuid: string };

export type EntriesAbout = {
  readonly sessionId: string;
  readonly cwd: string;
  readonly version: string;
  /** The name of the entry before the first. Absent: there is none. */
  readonly after?: string | null;
};

/** One entry for each thing that was said, each naming the one before. Null: nothing was said. Takes the events of a session in order. */
export function createClaudeEntries(about: EntriesAbout): (event: DeliveredEvent) => ClaudeEntry | null {
  const { sessionId, cwd, version, after = null } = about;
  const common = { sessionId, cwd, isSidechain: false, userType: 'external', version };
  let parentUuid = after;
  return (event) => {
    const uuid = entryName(event, event);
    const said = uuid === null ? null : saidIn(event);
    if (said === null || uuid === null) return null;
    const entry = { parentUuid, ...common, ...said, uuid, timestamp: event.at };
    parentUuid = uuid;
    return entry;
  };
}

/** What a session is called. */
export function titleEntry(sessionId: string, customTitle: string): Fields & { readonly type: string } {
  return { type: 'custom-title', customTitle, sessionId };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const SAYING: ReadonlySet<string> = new Set(['USER_INPUT', 'STEERING_INJECTED', 'ASSISTANT_MESSAGE', 'TOOL_CALL_END']);

/**
 * The uuid of an event's entry; null: it has none. What has a name keeps it: the one that the sender of a prompt gave it, or that of the
 * transcript which it was taken from.
 */
export function entryName(event: { readonly kind: string }, { sessionId, seq }: NamedBy): string | null {
  if (!SAYING.has(event.kind)) return null;
  const key: unknown = 'key' in event ? event.key : undefined;
  return typeof key === 'string' && UUID.test(key) ? key : recordUuid(sessionId, seq);
}

type NamedBy = { readonly sessionId: string; readonly seq: number };

type Said = Fields & { readonly type: string };

function saidIn(event: DeliveredEvent): Said | null {
  if (event.kind === 'USER_INPUT') return { type: 'user', message: { role: 'user', content: contentOf(event) } };
  if (event.kind === 'STEERING_INJECTED') {
    const isMeta = event.source === undefined ? {} : { isMeta: true };
    return { type: 'user', message: { role: 'user', content: event.content }, ...isMeta };
  }
  if (event.kind !== 'ASSISTANT_MESSAGE' && event.kind !== 'TOOL_CALL_END') return null;
  const [line] = linesOf(event, { partial: null, shorten: (_tool, output) => output });
  return line === undefined ? null : { type: line.type, message: line['message'] };
}

type Input = Extract<DeliveredEvent, { readonly kind: 'USER_INPUT' }>;

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
