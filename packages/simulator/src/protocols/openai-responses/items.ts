import { isObject, type JsonObject, listOf, stringOf } from '../../wire/json.ts';

/** Reading the shapes of the Responses API. A string input is shorthand for one user message. */

export function itemsOf(body: JsonObject): JsonObject[] {
  const input = body['input'];
  if (typeof input === 'string') return [{ type: 'message', role: 'user', content: input }];
  return listOf(input).filter(isObject);
}

/** An item without a type is a message. */
export function typeOf(item: JsonObject): string {
  return stringOf(item['type']) || 'message';
}

const MODEL_TYPES = new Set(['reasoning', 'function_call', 'custom_tool_call']);

/** Whether the model said it; everything else comes from the client. */
export function isModelItem(item: JsonObject): boolean {
  return MODEL_TYPES.has(typeOf(item)) || (typeOf(item) === 'message' && item['role'] === 'assistant');
}

export function isUserMessage(item: JsonObject): boolean {
  return typeOf(item) === 'message' && item['role'] === 'user';
}

export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .filter(isObject)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== '')
    .join('\n');
}
