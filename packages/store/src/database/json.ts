import type { Id } from '@attractor/base/id';

/** JSON columns are written only by us, in the same file that reads them; a damaged one must not break a whole list. */
export function parseJson<Value>(text: string | null, fallback: Value): Value {
  if (text === null) return fallback;
  try {
    const value: Value = JSON.parse(text);
    return value;
  } catch {
    return fallback;
  }
}

export function idOf<Prefix extends string>(prefix: Prefix, text: string): Id<Prefix> {
  if (isId(prefix, text)) return text;
  throw new TypeError(`${text} is not an id that begins with ${prefix}_`);
}

function isId<Prefix extends string>(prefix: Prefix, text: string): text is Id<Prefix> {
  return text.startsWith(`${prefix}_`);
}
