import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../../wire/json.ts';

/** Reading the shapes of the Messages API. A string content is shorthand for one text block. */

export function messagesOf(body: JsonObject): JsonObject[] {
  return listOf(body['messages']).map(objectOf);
}

export function blocksOf(content: unknown): JsonObject[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return listOf(content).filter(isObject);
}

export function textOf(content: unknown): string {
  return blocksOf(content)
    .filter((block) => block['type'] === 'text')
    .map((block) => stringOf(block['text']))
    .join('\n');
}

export function ofType(blocks: JsonObject[], type: string): JsonObject[] {
  return blocks.filter((block) => block['type'] === type);
}
