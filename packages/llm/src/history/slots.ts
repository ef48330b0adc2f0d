import type { ContentPart, ToolCallPart, ToolResultPart } from '../types/content.ts';
import type { Message } from '../types/message.ts';
import { cleanText } from './clean-text.ts';

/**
 * A conversation as a sequence of slots, each part in the role that providers expect, whatever message it came in: results are separate,
 * media belong to the person, calls and thinking to the model. The order is kept.
 */
export type Slot =
  | { readonly kind: 'system'; readonly role: 'system' | 'developer'; readonly text: string }
  | { readonly kind: 'user'; readonly parts: ReadonlyArray<ContentPart> }
  | { readonly kind: 'assistant'; readonly parts: ReadonlyArray<ContentPart> }
  | { readonly kind: 'result'; readonly result: ToolResultPart };

/** Messages never change, so neither do their slots: each message of a long conversation is processed once. */
const made = new WeakMap<Message, ReadonlyArray<Slot>>();

export function slotsOf(message: Message): ReadonlyArray<Slot> {
  const known = made.get(message);
  if (known !== undefined) return known;
  const slots = toSlots(cleanText(message));
  made.set(message, slots);
  return slots;
}

function toSlots(message: Message): ReadonlyArray<Slot> {
  const slots: Slot[] = [];
  for (const part of message.content) {
    const slot = place(message, part);
    const last = slots.at(-1);
    if ((slot.kind === 'user' || slot.kind === 'assistant') && last?.kind === slot.kind) {
      slots[slots.length - 1] = { kind: slot.kind, parts: [...last.parts, ...slot.parts] };
    } else slots.push(slot);
  }
  return slots;
}

export function callsIn(slot: Slot): ReadonlyArray<ToolCallPart> {
  return slot.kind === 'assistant' ? slot.parts.filter((part): part is ToolCallPart => part.kind === 'TOOL_CALL') : [];
}

function place({ role }: Message, part: ContentPart): Slot {
  switch (part.kind) {
    case 'TOOL_RESULT':
      return { kind: 'result', result: part };
    case 'TOOL_CALL':
    case 'THINKING':
    case 'REDACTED_THINKING':
      return { kind: 'assistant', parts: [part] };
    case 'TEXT':
      if (role === 'system' || role === 'developer') return { kind: 'system', role, text: part.text };
      return { kind: role === 'assistant' ? 'assistant' : 'user', parts: [part] };
    default:
      return { kind: 'user', parts: [part] };
  }
}
