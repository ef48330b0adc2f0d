import type { ContentPart } from '../types/content.ts';
import type { Message } from '../types/message.ts';
import { proofOf } from './own-thinking.ts';
import type { HistoryRules } from './rules.ts';

/**
 * The messages unchanged if nothing about them needs fixing; null if something may. An agent's own conversation is sound, and long: it is
 * passed on without copying every part for every request. Never returns a history for which `mendHistory` would give anything else.
 *
 *   history = *system turn *turn             turn  = user / round / answer        ends with user or round
 *   round   = assistant with calls, then their results in the order of the calls, which become one message
 */
export function soundHistory(messages: ReadonlyArray<Message>, rules: HistoryRules): ReadonlyArray<Message> | null {
  const [first] = messages;
  if (first === undefined) return null;
  const walk = walkAlong(messages, rules) ?? { rules, read: [], sound: [], seen: new Set() };
  walks.set(first, walk);
  while (walk.read.length < messages.length) {
    if (takeNext(walk, messages)) continue;
    walks.delete(first);
    return null;
  }
  const last = walk.sound.at(-1)?.role;
  return last === 'user' || last === 'tool' ? [...walk.sound] : null;
}

/** How far a conversation was found sound. It grows at its end, so each request continues where the previous one stopped. */
type Walk = {
  readonly rules: HistoryRules;
  readonly read: Message[];
  readonly sound: Message[];
  readonly seen: Set<string>;
};

const walks = new WeakMap<Message, Walk>();

function walkAlong(
  messages: ReadonlyArray<Message>,
  { origin, callId, thinking, thinkingMayEnd }: HistoryRules,
): Walk | null {
  const walk = messages[0] === undefined ? undefined : walks.get(messages[0]);
  if (walk === undefined || walk.read.length > messages.length) return null;
  const { rules } = walk;
  if (rules.origin !== origin || rules.callId !== callId) return null;
  if (rules.thinking !== thinking || rules.thinkingMayEnd !== thinkingMayEnd) return null;
  return walk.read.every((message, at) => message === messages[at]) ? walk : null;
}

/** Takes one message, with the results of its calls. False: fixing may be needed. */
function takeNext({ rules, read, sound, seen }: Walk, messages: ReadonlyArray<Message>): boolean {
  const at = read.length;
  const message = messages[at];
  const facts = message === undefined ? null : factsOf(message);
  if (message === undefined || facts === null || !mayFollow(sound.at(-1), message)) return false;
  if (!isFit(facts, rules) || !areNew(facts, seen)) return false;
  const results = facts.calls.length === 0 ? [] : resultsOf(messages, at + 1, facts.calls);
  if (results === null) return false;
  sound.push(message, ...results);
  read.push(...messages.slice(at, at + 1 + facts.calls.length));
  return true;
}

/** Facts about one message. `origins`: who signed its parts; `proofs`: the signatures of its thinking. */
type Facts = {
  readonly calls: ReadonlyArray<string>;
  readonly origins: ReadonlyArray<string>;
  readonly proofs: ReadonlySet<string>;
  readonly endsInThinking: boolean;
};

const known = new WeakMap<Message, Facts | null>();

/** Null: the message can't be part of a sound history. Messages never change, so each is examined once. */
function factsOf(message: Message): Facts | null {
  const before = known.get(message);
  if (before !== undefined) return before;
  const facts = look(message);
  known.set(message, facts);
  return facts;
}

/** Media, and text that cleaning would change, are left to fixing. */
function look({ role, content }: Message): Facts | null {
  const kinds = KINDS[role];
  if (content.length === 0 || (isSystem(role) && content.length > 1)) return null;
  if (!content.every((part) => kinds.includes(part.kind) && isClean(part))) return null;
  const last = content.at(-1)?.kind;
  return {
    calls: content.flatMap((part) => (part.kind === 'TOOL_CALL' ? [part.toolCallId] : [])),
    origins: content.flatMap((part) => (isSigned(part) ? [part.origin ?? ''] : [])),
    proofs: new Set(content.map(proofOf).filter((proof) => proof !== '')),
    endsInThinking: last === 'THINKING' || last === 'REDACTED_THINKING',
  };
}

const KINDS: Readonly<Record<Message['role'], ReadonlyArray<ContentPart['kind']>>> = {
  system: ['TEXT'],
  developer: ['TEXT'],
  user: ['TEXT'],
  assistant: ['TEXT', 'TOOL_CALL', 'THINKING', 'REDACTED_THINKING'],
  tool: ['TOOL_RESULT'],
};

function isClean(part: ContentPart): boolean {
  switch (part.kind) {
    case 'TEXT':
      return part.text.trim() !== '' && part.text.isWellFormed();
    case 'TOOL_RESULT':
      return part.output.isWellFormed() && part.images === undefined;
    case 'TOOL_CALL':
      // JSON writes half a surrogate pair, and nothing else that begins so, as an escape.
      return part.toolName.isWellFormed() && !/\\ud[89a-f]/.test(JSON.stringify(part.args));
    default:
      return proofOf(part) !== '';
  }
}

type Signed = Extract<ContentPart, { kind: 'THINKING' | 'REDACTED_THINKING' | 'TOOL_CALL' }>;

function isSigned(part: ContentPart): part is Signed {
  return part.kind === 'TOOL_CALL' ? part.signature !== undefined : proofOf(part) !== '';
}

function isSystem(role: Message['role']): boolean {
  return role === 'system' || role === 'developer';
}

/** Results never get here: they were taken with their calls. */
function mayFollow(last: Message | undefined, { role }: Message): boolean {
  if (role === 'tool') return false;
  if (isSystem(role)) return last === undefined || isSystem(last.role);
  if (last === undefined || isSystem(last.role)) return role === 'user';
  return last.role !== role;
}

function isFit({ calls, origins, proofs, endsInThinking }: Facts, rules: HistoryRules): boolean {
  if (proofs.size > 0 && (rules.thinking !== 'signed' || (endsInThinking && !rules.thinkingMayEnd))) return false;
  return origins.every((origin) => origin === rules.origin) && calls.every((id) => rules.callId.test(id));
}

/** Ids and proofs that no earlier message has, and no other call; a prefix separates ids from proofs. */
function areNew({ calls, proofs }: Facts, seen: Set<string>): boolean {
  for (const proof of proofs) if (seen.has(`proof ${proof}`)) return false;
  for (const proof of proofs) seen.add(`proof ${proof}`);
  for (const id of calls) {
    if (seen.has(id)) return false;
    seen.add(id);
  }
  return true;
}

/** Built once for the message with the first of them. */
const joined = new WeakMap<Message, Message>();

/** The results of these calls as one message; null unless exactly they follow, in this order. */
function resultsOf(messages: ReadonlyArray<Message>, from: number, calls: ReadonlyArray<string>): [Message] | null {
  const results = messages.slice(from, from + calls.length);
  const fits = calls.every((id, index) => answers(results[index], id));
  const [first] = results;
  if (!fits || first === undefined || messages[from + calls.length]?.role === 'tool') return null;
  if (results.length === 1) return [first];
  const before = joined.get(first);
  const content = results.flatMap((result) => result.content);
  if (before !== undefined && before.content.every((part, index) => part === content[index])) return [before];
  const message: Message = { role: 'tool', content };
  joined.set(first, message);
  return [message];
}

function answers(message: Message | undefined, id: string): boolean {
  if (message?.role !== 'tool' || message.content.length !== 1 || factsOf(message) === null) return false;
  const [part] = message.content;
  return part?.kind === 'TOOL_RESULT' && part.toolCallId === id;
}
