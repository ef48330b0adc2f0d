/*
 * file = [ "---" yaml "---" ] body
 *
 * The head is YAML. Other agents also accept heads that are nearly YAML (`description: Use when: asked`, `argument-hint: [a] [b]`):
 * if the head as a whole is invalid, a line `key: value` that is invalid by itself is read as a key and a plain text.
 */
import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { isRecord } from '@attractor/base';

export type HeadField = { readonly value: unknown; readonly line: number };

/** Fields keep their order; lines count from 1 in the whole file. No head: no fields. */
export type Frontmatter = {
  readonly fields: ReadonlyMap<string, HeadField>;
  readonly body: string;
};

export type FrontmatterReading =
  | ({ readonly ok: true } & Frontmatter)
  | { readonly ok: false; readonly line: number; readonly message: string };

/** Splits a markdown file into its head and its body. */
export function readFrontmatter(text: string): FrontmatterReading {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  if (lines[0]?.trimEnd() !== '---') return { ok: true, fields: new Map(), body: lines.join('\n').trim() };
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end < 0) return { ok: false, line: 1, message: 'expected a line "---" that ends the head' };
  const head = lines.slice(1, end);
  const strict = readYaml(head);
  const read = strict.ok ? strict : readYaml(head.map(asPlainText));
  if (!read.ok) return strict.ok ? read : strict;
  return {
    ok: true,
    fields: read.fields,
    body: lines
      .slice(end + 1)
      .join('\n')
      .trim(),
  };
}

type YamlReading =
  | { readonly ok: true; readonly fields: ReadonlyMap<string, HeadField> }
  | { readonly ok: false; readonly line: number; readonly message: string };

function readYaml(lines: ReadonlyArray<string>): YamlReading {
  const counter = new LineCounter();
  const document = parseDocument(lines.join('\n'), { lineCounter: counter, prettyErrors: false });
  const lineOf = (offset: number): number => counter.linePos(offset).line + 1;
  const [error] = document.errors;
  if (error !== undefined)
    return { ok: false, line: lineOf(error.pos[0]), message: `the head is not valid YAML (${error.message})` };
  const value = plainValue(document);
  if (!isRecord(value)) return { ok: false, line: 2, message: 'expected fields such as "name: reviewer" in the head' };
  return {
    ok: true,
    fields: new Map(
      Object.entries(value).map(([key, item]) => [key, { value: item, line: lineOf(offsetOf(document, key)) }]),
    ),
  };
}

/** Null if aliases lead nowhere or expand without end. */
function plainValue(document: Document): unknown {
  try {
    const value: unknown = document.toJS({ maxAliasCount: 20 });
    return value ?? {};
  } catch {
    return null;
  }
}

function offsetOf(document: Document, key: string): number {
  if (!isMap(document.contents)) return 0;
  const pair = document.contents.items.find(({ key: node }) => isScalar(node) && String(node.value) === key);
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function asPlainText(line: string): string {
  const [, key, value] = /^([A-Za-z][\w-]*):[ \t]+(\S.*)$/.exec(line) ?? [];
  if (key === undefined || value === undefined || parseDocument(line).errors.length === 0) return line;
  return `${key}: ${JSON.stringify(value.trimEnd())}`;
}
