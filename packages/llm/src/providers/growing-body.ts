import type { ContentPart } from '../types/content.ts';
import type { Message } from '../types/message.ts';
import { isWireName } from './tool-names.ts';

/**
 * A conversation only grows at its end, but a request carries all of it. The bytes that the previous request made of its older turns are
 * kept and sent again: the SDK gets only the newest turns, and nothing older is converted, serialised or encoded twice.
 *
 *   body = … "messages":[ wire message *( "," wire message ) ] …        older ones kept, newer ones from the SDK
 *
 * The bytes sent are the same as without it. So it is for protocols whose wire messages depend only on their own turn and on
 * `terms`, and for turns of text, thinking, calls and results; markers of the prompt cache are on the newest turns only.
 */
export type GrowingBody = {
  /** For the SDK: the system prompt, and the turns that are not kept. */
  readonly messages: ReadonlyArray<Message>;
  /** The whole body, given what the SDK wrote for these messages. */
  readonly complete: (body: string) => ReadonlyArray<Uint8Array>;
};

/** Null for a history that is too short or unsuitable: it is sent as a whole. */
export function growingBody(history: ReadonlyArray<Message>, terms: string): GrowingBody | null {
  const begin = history.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  const turns = history.slice(Math.max(0, begin));
  const first = turns[0];
  const lastAnswer = turns.findLastIndex(isAnswer);
  const newest = turns.findLastIndex((turn, at) => at < lastAnswer - 1 && isAnswer(turn));
  if (first === undefined || newest <= 0 || !turns.every(isPlain)) return null;
  const before = kept.get(first);
  const known = before !== undefined && isBeginning(before, { turns, terms, newest }) ? before : null;
  const from = known?.turns.length ?? 0;
  return {
    messages: from === 0 ? history : [...history.slice(0, begin), ...turns.slice(from)],
    complete: (body) => {
      // After the request is on its way: what is kept here is for the next one.
      setImmediate(() => {
        const more = olderThan(lastAnswer - from, turns.slice(from), body);
        if (more !== null)
          kept.set(first, { turns: turns.slice(0, lastAnswer), terms, bytes: added(known?.bytes, more) });
      });
      return known === null ? [Buffer.from(body)] : spliced(body, known.bytes);
    },
  };
}

/** The turns in these bytes, and the conditions under which they were made. */
type Kept = { readonly turns: ReadonlyArray<Message>; readonly terms: string; readonly bytes: Bytes };

/** The first `length` bytes of a store that only grows: those never change, however many hold them or send them. */
type Bytes = { readonly store: Store; readonly length: number };
type Store = { readonly room: Buffer; used: number };

/** By the conversation's first turn: one entry per conversation, gone with it. */
const kept = new WeakMap<Message, Kept>();

type Wanted = { readonly turns: ReadonlyArray<Message>; readonly terms: string; readonly newest: number };

/** Kept turns must end before the newest, which have the markers. */
function isBeginning(before: Kept, { turns, terms, newest }: Wanted): boolean {
  if (before.terms !== terms || before.turns.length > newest) return false;
  return before.turns.every((turn, at) => turn === turns[at]);
}

function isAnswer({ role }: Message): boolean {
  return role === 'assistant';
}

const plain = new WeakSet<Message>();

function isPlain(turn: Message): boolean {
  if (plain.has(turn)) return true;
  if (!turn.content.every(isPlainPart)) return false;
  plain.add(turn);
  return true;
}

function isPlainPart(part: ContentPart): boolean {
  switch (part.kind) {
    case 'TOOL_CALL':
      return isWireName(part.toolName);
    case 'TOOL_RESULT':
      return part.images === undefined;
    default:
      return part.kind === 'TEXT' || part.kind === 'THINKING' || part.kind === 'REDACTED_THINKING';
  }
}

const OPENING = '"messages":[';

/** Inside JSON text a quote is escaped, and none of our keys before it contains messages. */
function spliced(body: string, { store, length }: Bytes): ReadonlyArray<Uint8Array> {
  const at = body.indexOf(OPENING) + OPENING.length;
  return [Buffer.from(body.slice(0, at)), store.room.subarray(0, length), Buffer.from(`,${body.slice(at)}`)];
}

/** What the SDK wrote for the first `count` of these turns, without markers; null if it is not clear which that is. */
function olderThan(count: number, turns: ReadonlyArray<Message>, body: string): string | null {
  const messages = messagesIn(body);
  const older = messages.slice(0, wireCount(turns.slice(0, count)));
  if (messages.length !== wireCount(turns) || older.length === 0) return null;
  return older.map((message) => JSON.stringify(unmarked(message))).join(',');
}

/** Only what stands before the tools is read, if it is whole: a list has one end, so what can be read up to there is the list. */
function messagesIn(body: string): ReadonlyArray<WireMessage> {
  const begin = body.indexOf(OPENING) + OPENING.length - 1;
  const end = body.lastIndexOf(BEFORE_TOOLS) + 1;
  try {
    return JSON.parse(body.slice(begin, end));
  } catch {
    const whole: { readonly messages: ReadonlyArray<WireMessage> } = JSON.parse(body);
    return whole.messages;
  }
}

const BEFORE_TOOLS = '],"tools":[';

type WireMessage = { readonly role: string; readonly content: ReadonlyArray<Readonly<Record<string, unknown>>> };

function unmarked({ content, ...rest }: WireMessage): object {
  return { ...rest, content: content.map(({ cache_control: _marker, ...block }) => block) };
}

/** Neighbours that are no answers share one wire message. */
function wireCount(turns: ReadonlyArray<Message>): number {
  return turns.filter((turn, at) => at === 0 || isAnswer(turn) || turns[at - 1]?.role === 'assistant').length;
}

/** After bytes that are the last of their store there may be room; after others someone else's bytes follow. */
function added(before: Bytes | undefined, more: string): Bytes {
  const text = before === undefined ? more : `,${more}`;
  const begin = before?.length ?? 0;
  const length = begin + Buffer.byteLength(text);
  const fits = before !== undefined && before.store.used === begin && length <= before.store.room.length;
  const store = fits ? before.store : { room: Buffer.allocUnsafeSlow(2 * length), used: 0 };
  if (!fits) before?.store.room.copy(store.room, 0, 0, begin);
  store.room.write(text, begin);
  store.used = length;
  return { store, length };
}
