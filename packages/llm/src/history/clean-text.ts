import type { ContentPart } from '../types/content.ts';
import type { Message } from '../types/message.ts';

/** Texts that every provider can decode: no half surrogate pairs, no blank text parts. */
export function cleanText({ role, content }: Message): Message {
  return { role, content: content.flatMap(cleanPart) };
}

function cleanPart(part: ContentPart): ReadonlyArray<ContentPart> {
  switch (part.kind) {
    case 'TEXT':
      return part.text.trim() === '' ? [] : [{ ...part, text: part.text.toWellFormed() }];
    case 'TOOL_RESULT':
      return [{ ...part, output: part.output.toWellFormed() }];
    case 'TOOL_CALL':
      return [{ ...part, toolName: part.toolName.toWellFormed(), args: cleanRecord(part.args) }];
    default:
      // Thinking is signed over its exact text.
      return [part];
  }
}

function cleanRecord(record: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key.toWellFormed(), cleanValue(value)]));
}

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(cleanValue);
  return typeof value === 'object' && value !== null ? cleanRecord({ ...value }) : value;
}
