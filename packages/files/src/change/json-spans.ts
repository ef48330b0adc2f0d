/**
 * Where each value of a JSON text begins and ends, so that one value can be replaced and every other byte stays. The text was parsed
 * before: it is valid JSON. Grammar: value := object | array | string | word; white space may surround any of them, and a byte order mark
 * may precede the first.
 */
export type Span = {
  readonly start: number;
  /** After the last character. */
  readonly end: number;
  /** For an object: its members in order. `start` is that of the key. */
  readonly members: ReadonlyArray<Member>;
  /** For an array. */
  readonly items: ReadonlyArray<Span>;
};

export type Member = { readonly key: string; readonly start: number; readonly value: Span };

export function spansOf(text: string): Span {
  return valueAt(text, skipSpace(text, 0));
}

function valueAt(text: string, start: number): Span {
  if (text[start] === '{') return objectAt(text, start);
  if (text[start] === '[') return arrayAt(text, start);
  const end = text[start] === '"' ? stringEnd(text, start) : wordEnd(text, start);
  return { start, end, members: [], items: [] };
}

function objectAt(text: string, start: number): Span {
  const members: Member[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== '}') {
    const keyEnd = stringEnd(text, at);
    const value = valueAt(text, skipSpace(text, skipSpace(text, keyEnd) + 1));
    members.push({ key: String(JSON.parse(text.slice(at, keyEnd))), start: at, value });
    at = skipComma(text, value.end);
  }
  return { start, end: at + 1, members, items: [] };
}

function arrayAt(text: string, start: number): Span {
  const items: Span[] = [];
  let at = skipSpace(text, start + 1);
  while (at < text.length && text[at] !== ']') {
    const item = valueAt(text, at);
    items.push(item);
    at = skipComma(text, item.end);
  }
  return { start, end: at + 1, members: [], items };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (' \t\r\n\ufeff'.includes(text[at] ?? '.')) at++;
  return at;
}

function skipComma(text: string, from: number): number {
  const at = skipSpace(text, from);
  return text[at] === ',' ? skipSpace(text, at + 1) : at;
}

function stringEnd(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

function wordEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && !',]} \t\r\n'.includes(text[at] ?? ',')) at++;
  return at;
}
