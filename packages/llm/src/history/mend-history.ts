import type { ContentPart } from '../types/content.ts';
import type { Message } from '../types/message.ts';
import type { Warning } from '../types/response.ts';
import { limitMedia } from './media-limits.ts';
import { ownThinking } from './own-thinking.ts';
import { pairResults } from './pair-results.ts';
import type { HistoryRules } from './rules.ts';
import { callsIn, slotsOf, type Slot } from './slots.ts';

export type ValidHistory = { readonly messages: ReadonlyArray<Message>; readonly warnings: ReadonlyArray<Warning> };

/** Used where a protocol demands a user message and there is none. */
const CONTINUE: Message = { role: 'user', content: [{ kind: 'TEXT', text: 'Continue.' }] };

/** Turns any list of messages into one that the rules' protocol accepts, whatever is wrong with it. */
export function mendHistory(messages: ReadonlyArray<Message>, rules: HistoryRules): ValidHistory {
  const slots = messages.flatMap(slotsOf);
  const paired = pairResults(ownThinking(slots, rules), rules.callId);
  const { slots: limited, warnings } = limitMedia(paired, rules);
  const grouped = group(rules.system === 'leading' ? systemFirst(limited) : limited, rules);
  return { messages: withEnds(grouped, rules), warnings };
}

function systemFirst(slots: ReadonlyArray<Slot>): ReadonlyArray<Slot> {
  return [...slots.filter((slot) => slot.kind === 'system'), ...slots.filter((slot) => slot.kind !== 'system')];
}

function group(slots: ReadonlyArray<Slot>, rules: HistoryRules): ReadonlyArray<Message> {
  const messages: Message[] = [];
  for (const slot of slots) {
    const last = messages.at(-1);
    const next = asMessage(slot);
    if (last !== undefined && joins(last, next, rules)) {
      messages[messages.length - 1] = { role: last.role, content: [...last.content, ...next.content] };
    } else messages.push(next);
  }
  return messages;
}

function asMessage(slot: Slot): Message {
  if (slot.kind === 'system') return { role: slot.role, content: [{ kind: 'TEXT', text: slot.text }] };
  if (slot.kind === 'result') return { role: 'tool', content: [slot.result] };
  return { role: slot.kind, content: slot.parts };
}

/** Results of one answer always stay together; an answer with calls is closed by its results and takes no more. */
function joins(last: Message, next: Message, rules: HistoryRules): boolean {
  if (last.role !== next.role) return false;
  if (next.role === 'tool') return true;
  if (rules.neighbours === 'free' || next.role === 'system' || next.role === 'developer') return false;
  return next.role === 'user' || callsIn({ kind: 'assistant', parts: last.content }).length === 0;
}

function withEnds(messages: ReadonlyArray<Message>, rules: HistoryRules): ReadonlyArray<Message> {
  const firstTurn = messages.findIndex((message) => !isSystem(message));
  if (firstTurn === -1) return [...messages, CONTINUE];
  const opened =
    rules.firstIsUser && messages[firstTurn]?.role === 'assistant'
      ? messages.toSpliced(firstTurn, 0, CONTINUE)
      : messages;
  const last = opened.at(-1);
  if (last?.role !== 'assistant') return opened;
  const trimmed = opened.with(opened.length - 1, { role: 'assistant', content: trimEnd(last.content) });
  return rules.lastIsUser ? [...trimmed, CONTINUE] : trimmed;
}

function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

/** Providers refuse to continue an answer that ends in white space. */
function trimEnd(content: ReadonlyArray<ContentPart>): ReadonlyArray<ContentPart> {
  const last = content.at(-1);
  return last?.kind === 'TEXT' ? content.with(content.length - 1, { ...last, text: last.text.trimEnd() }) : content;
}
