/** Reading foreign JSON without trusting its shape. Nothing here throws on any JSON value. */

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

export function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Any value as it may appear in an error message. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'None');
}

/** The name JSON gives to a value's type, for error messages. */
export function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'decimal';
  return typeof value;
}

const MARK = '\u0000raw\u0000';

/** Marks already serialised JSON text, so that `stringifyWithRaw` inserts it verbatim, even if it is invalid JSON. */
export function raw(text: string): string {
  return MARK + text;
}

export function stringifyWithRaw(value: unknown): string {
  const kept: string[] = [];
  const text = JSON.stringify(value, (_key, item: unknown) => {
    if (typeof item !== 'string' || !item.startsWith(MARK)) return item;
    kept.push(item.slice(MARK.length));
    return `${MARK}${kept.length - 1}`;
  });
  if (kept.length === 0) return text;
  return text.replace(/"\\u0000raw\\u0000(\d+)"/g, (_all, index: string) => kept[Number(index)] ?? 'null');
}
