import { isObject, type JsonObject, listOf, objectOf, stringOf } from '../../wire/json.ts';

/** Reading the shapes of generateContent. A content without a role is the user's. */

export function contentsOf(body: JsonObject): JsonObject[] {
  return listOf(body['contents']).filter(isObject);
}

export function roleOf(content: JsonObject): string {
  return stringOf(content['role']) || 'user';
}

export function partsOf(content: unknown): JsonObject[] {
  return listOf(objectOf(content)['parts']).filter(isObject);
}

export function textOf(content: unknown): string {
  return partsOf(content)
    .filter((part) => part['thought'] !== true)
    .map((part) => stringOf(part['text']))
    .filter((text) => text !== '')
    .join('\n');
}

export function having(parts: JsonObject[], field: 'functionCall' | 'functionResponse'): JsonObject[] {
  return parts.filter((part) => isObject(part[field]));
}

export function declarationsOf(body: JsonObject): JsonObject[] {
  return listOf(body['tools']).flatMap((tool) => listOf(objectOf(tool)['functionDeclarations']).filter(isObject));
}
