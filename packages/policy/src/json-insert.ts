import { isRecord } from '@attractor/base';
import { type Span, spansOf } from '@attractor/files';

/**
 * Adds texts to a list inside a JSON text and leaves every other byte as it is: order, indentation and line endings are the person's own.
 * `path` leads to the list; missing steps are created. Null if the text is not a JSON object or something else is there.
 */
export function insertIntoList(
  text: string,
  path: ReadonlyArray<string>,
  values: ReadonlyArray<string>,
): string | null {
  const before = parsed(text);
  if (before === null) return null;
  const edited = insertAt({ text, at: spansOf(text), path, values, depth: 0 });
  return edited !== null && isAsMeant(before, parsed(edited), { path, values }) ? edited : null;
}

type Insertion = {
  readonly text: string;
  readonly at: Span;
  readonly path: ReadonlyArray<string>;
  readonly values: ReadonlyArray<string>;
  readonly depth: number;
};

function insertAt({ text, at, path, values, depth }: Insertion): string | null {
  const [name, ...rest] = path;
  const opened = name === undefined ? '[' : '{';
  if (text[at.start] !== opened) return null;
  if (name === undefined) {
    const items = values.map((value) => JSON.stringify(value));
    return addEntries(text, { at, items, depth });
  }
  const known = at.members.find(({ key }) => key === name);
  if (known !== undefined) return insertAt({ text, at: known.value, path: rest, values, depth: depth + 1 });
  const made = rest.reduceRight<unknown>((inner, key) => ({ [key]: inner }), values);
  const unit = indentUnit(text);
  const written = JSON.stringify(made, null, unit).replaceAll('\n', `\n${unit.repeat(depth + 1)}`);
  return addEntries(text, { at, items: [`${JSON.stringify(name)}: ${written}`], depth });
}

type Addition = { readonly at: Span; readonly items: ReadonlyArray<string>; readonly depth: number };

/** New entries follow the form of the last one: on their own lines with its indentation, or after it on the same line. */
function addEntries(text: string, { at, items, depth }: Addition): string {
  const member = at.members.at(-1);
  const last = member === undefined ? at.items.at(-1) : { start: member.start, end: member.value.end };
  const unit = indentUnit(text);
  if (last === undefined) {
    const inner = `\n${unit.repeat(depth + 1)}`;
    const list = items.join(`,${inner}`);
    return `${text.slice(0, at.start + 1)}${inner}${list}\n${unit.repeat(depth)}${text.slice(at.end - 1)}`;
  }
  const lead = /\n([ \t]*)$/.exec(text.slice(at.start + 1, last.start));
  const between = lead === null ? ', ' : `,\n${lead[1] ?? ''}`;
  return `${text.slice(0, last.end)}${items.map((item) => between + item).join('')}${text.slice(last.end)}`;
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

/** Parsers disagree about duplicate keys; then, as in any doubt, nothing is written. */
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
