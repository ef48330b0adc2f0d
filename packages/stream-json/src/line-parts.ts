import { isRecord } from '@attractor/base';
import type { Line } from './event-lines.ts';

export type Fields = Readonly<Record<string, unknown>>;

export type TextPart = { readonly kind: 'text' | 'thinking'; readonly text: string };
export type CallPart = { readonly id: string; readonly name: string; readonly input: Fields };
export type ResultPart = { readonly id: string; readonly text: string; readonly isError: boolean };

/** What the model said in a line. */
export function textsIn(line: Line): ReadonlyArray<TextPart> {
  return blocksIn(line).flatMap(({ type, text, thinking }): ReadonlyArray<TextPart> => {
    if (type === 'text' && typeof text === 'string' && text !== '') return [{ kind: 'text', text }];
    return type === 'thinking' && typeof thinking === 'string' && thinking !== ''
      ? [{ kind: 'thinking', text: thinking }]
      : [];
  });
}

export function callsIn(line: Line): ReadonlyArray<CallPart> {
  return blocksIn(line).flatMap(({ type, id, name, input }) =>
    type === 'tool_use' ? [{ id: String(id), name: String(name), input: isRecord(input) ? input : {} }] : [],
  );
}

export function resultsIn(line: Line): ReadonlyArray<ResultPart> {
  return blocksIn(line).flatMap(({ type, tool_use_id: id, content, is_error: isError }) =>
    type === 'tool_result' ? [{ id: String(id), text: textOf(content), isError: isError === true }] : [],
  );
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? content.filter(isRecord) : [];
  return blocks.map(({ text }) => (typeof text === 'string' ? text : '')).join('');
}

function blocksIn(line: Line): ReadonlyArray<Fields> {
  const message = line['message'];
  const content = isRecord(message) ? message['content'] : undefined;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}
