import { isRecord } from '@attractor/base';

/**
 * Adds texts to a list inside a JSON text and leaves every other byte as it is: order, indentation and line ends are a person's own.
 * `path` leads to the list; what is missing on the way is made. Null when the text is no JSON object or something else stands there.
 */
export function insertIntoList(
  text: string,
  path: ReadonlyArray<string>,
  values: ReadonlyArray<string>,
): string | null {
  const before = parsed(text);
  if (before === null) return null;
  const edited = insertAt({ text, start: skipBlank(text, 0), path, values, depth: 0 });
  return edited !== null && isAsMeant(before, parsed(edited), { path, values }) ? edited : null;
}

type Insertion = {
  readonly text: string;
  readonly start: number;
  readonly path: ReadonlyArray<string>;
  readonly values: ReadonlyArray<string>;
  readonly depth: number;
};

function insertAt({ text, start, path, values, depth }: Insertion): string | null {
  const [name, ...rest] = path;
  const opened = name === undefined ? '[' : '{';
  if (text[start] !== opened) return null;
  const entries = entriesOf(text, start);
  if (name === undefined) {
    const items = values.map((value) => JSON.stringify(value));
    return addEntries(text, { start, entries, items, depth });
  }
  const known = entries.find(({ key }) => key === name);
  if (known !== undefined) return insertAt({ text, start: known.valueStart, path: rest, values, depth: depth + 1 });
  const made = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), values);
  const unit = indentUnit(text);
  const written = JSON.stringify(made, null, unit).replaceAll('\n', `\n${unit.repeat(depth + 1)}`);
  return addEntries(text, { start, entries, items: [`${JSON.stringify(name)}: ${written}`], depth });
}

type Entry = { readonly key: string | null; readonly start: number; readonly valueStart: number; readonly end: number };
type Addition = {
  readonly start: number;
  readonly entries: ReadonlyArray<Entry>;
  readonly items: ReadonlyArray<string>;
  readonly depth: number;
};

/** New entries stand as the last one does: on a line of their own with its indentation, or behind it on the same line. */
function addEntries(text: string, { start, entries, items, depth }: Addition): string {
  const last = entries.at(-1);
  const unit = indentUnit(text);
  if (last === undefined) {
    const close = text.indexOf(text[start] === '[' ? ']' : '}', start);
    const inner = `\n${unit.repeat(depth + 1)}`;
    return `${text.slice(0, start + 1)}${inner}${items.join(`,${inner}`)}\n${unit.repeat(depth)}${text.slice(close)}`;
  }
  const lead = /\n([ \t]*)$/.exec(text.slice(start + 1, last.start));
  const between = lead === null ? ', ' : `,\n${lead[1] ?? ''}`;
  return `${text.slice(0, last.end)}${items.map((item) => between + item).join('')}${text.slice(last.end)}`;
}

/** The entries of the object or array that opens at `start`; the text is valid JSON. */
function entriesOf(text: string, start: number): ReadonlyArray<Entry> {
  const entries: Entry[] = [];
  const isObject = text[start] === '{';
  for (let at = skipBlank(text, start + 1); text[at] !== '}' && text[at] !== ']' && at < text.length;) {
    const begin = at;
    let key: string | null = null;
    if (isObject) {
      const end = endOfValue(text, at);
      key = String(JSON.parse(text.slice(at, end)));
      at = skipBlank(text, skipBlank(text, end) + 1);
    }
    const end = endOfValue(text, at);
    entries.push({ key, start: begin, valueStart: at, end });
    at = skipBlank(text, end);
    if (text[at] === ',') at = skipBlank(text, at + 1);
  }
  return entries;
}

function endOfValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return endOfString(text, start);
  if (first !== '{' && first !== '[') return start + (/^[^\s,\]}]+/.exec(text.slice(start))?.[0].length ?? 0);
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at) - 1;
    else if (character === '{' || character === '[') depth++;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at + 1;
  }
  return text.length;
}

function skipBlank(text: string, at: number): number {
  while (at < text.length && /\s|\ufeff/.test(text[at] ?? '')) at++;
  return at;
}

function indentUnit(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isRecord(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Two keys of one name would be read otherwise by others; then, as in any doubt, nothing is written. */
function isAsMeant(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>> | null,
  { path, values }: { readonly path: ReadonlyArray<string>; readonly values: ReadonlyArray<string> },
): boolean {
  return after !== null && JSON.stringify(after) === JSON.stringify(withValues(before, path, values));
}

function withValues(value: unknown, path: ReadonlyArray<string>, values: ReadonlyArray<string>): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return [...(Array.isArray(value) ? value : []), ...values];
  const object: Readonly<Record<string, unknown>> = typeof value === 'object' && value !== null ? { ...value } : {};
  return { ...object, [name]: withValues(object[name], rest, values) };
}
