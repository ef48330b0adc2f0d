import type { ContentPart, ToolResultPart } from './content.ts';

export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool';

export type Message = { readonly role: Role; readonly content: ReadonlyArray<ContentPart> };

/** The system text. */
export function systemMessage(text: string): Message {
  return { role: 'system', content: [{ kind: 'TEXT', text }] };
}

/** A person's message: a text, or parts such as text with images. */
export function userMessage(content: string | ReadonlyArray<ContentPart>): Message {
  return { role: 'user', content: asParts(content) };
}

/** A model's message, for a continued conversation. */
export function assistantMessage(content: string | ReadonlyArray<ContentPart>): Message {
  return { role: 'assistant', content: asParts(content) };
}

/** The result of one tool call, by the id of the call. */
export function toolMessage(result: Omit<ToolResultPart, 'kind'>): Message {
  return { role: 'tool', content: [{ kind: 'TOOL_RESULT', ...result }] };
}

/** The text parts of a message, joined. */
export function messageText(message: Message): string {
  return message.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}

function asParts(content: string | ReadonlyArray<ContentPart>): ReadonlyArray<ContentPart> {
  return typeof content === 'string' ? [{ kind: 'TEXT', text: content }] : content;
}
