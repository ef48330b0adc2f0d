import { isMap, isScalar, LineCounter, parseDocument, type Document } from 'yaml';
import { done, failed, isRecord, type Result } from '@attractor/base';
import type { Failure } from '../failure.ts';
import type { SpecHead } from './agent-spec.ts';
import { mapTools } from './map-tools.ts';

type HeadFailure = Failure<'invalid_spec'>;

/** `fields` is null if the file has no head; `bodyAt` is the first line after it. */
export type Head = { readonly fields: SpecHead | null; readonly bodyAt: number };

/** Reads the YAML between two `---` lines at the top of a file, as Claude Code, opencode and Gemini write it. */
export function readHead(file: string, lines: ReadonlyArray<string>): Result<Head, HeadFailure> {
  if (lines[0]?.trimEnd() !== '---') return done({ fields: null, bodyAt: 0 });
  const end = lines.findIndex((line, at) => at > 0 && line.trimEnd() === '---');
  if (end < 0) return invalid(file, 1, 'expected a line "---" that ends the head');
  const counter = new LineCounter();
  const document = parseDocument(lines.slice(1, end).join('\n'), { lineCounter: counter, prettyErrors: false });
  const lineOf = (offset: number): number => counter.linePos(offset).line + 1;
  const [error] = document.errors;
  if (error !== undefined) return invalid(file, lineOf(error.pos[0]), `the head is not valid YAML (${error.message})`);
  const value: unknown = document.toJS() ?? {};
  if (!isRecord(value)) return invalid(file, 2, 'expected fields such as "name: developer" in the head');
  const reading: Reading = { head: {}, ignored: [] };
  for (const [key, item] of Object.entries(value)) {
    const expected = (FIELDS[key] ?? ignore)(reading, key, item);
    if (expected !== null)
      return invalid(
        file,
        lineOf(offsetOf(document, key)),
        `${key}: expected ${expected}, not ${JSON.stringify(item)}`,
      );
  }
  return done({ fields: { ...reading.head, ignored: reading.ignored }, bodyAt: end + 1 });
}

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };
type Reading = { readonly head: Partial<Writable<Omit<SpecHead, 'ignored'>>>; readonly ignored: string[] };

/** Sets a field of the head. Returns what it expected if the value does not fit. */
type Field = (reading: Reading, key: string, value: unknown) => string | null;

const FIELDS: Readonly<Record<string, Field>> = {
  name: text('name', 'a name'),
  description: text('description', 'a sentence'),
  initialPrompt: text('initialPrompt', 'a text'),
  permissionMode: text('permissionMode', 'a mode such as plan'),
  model,
  tools: tools('allow'),
  disallowedTools: tools('deny'),
  permission,
  maxTurns,
  max_turns: maxTurns,
  steps: maxTurns,
};

const ignore: Field = ({ ignored }, key) => {
  ignored.push(key);
  return null;
};

function text(field: 'name' | 'description' | 'initialPrompt' | 'permissionMode', expected: string): Field {
  return ({ head }, _key, value) => {
    if (value === null || value === undefined) return null;
    if (typeof value !== 'string' || value.trim() === '') return expected;
    head[field] = value.trim();
    return null;
  };
}

/** `inherit` means the same as leaving the field out; opencode writes `provider/model`. */
function model({ head }: Reading, _key: string, value: unknown): string | null {
  if (value === null || value === 'inherit') return null;
  if (typeof value !== 'string' || value.trim() === '') return 'the name of a model';
  const [provider, ...rest] = value.trim().split('/');
  if (rest.length === 0) head.model = value.trim();
  else Object.assign(head, { provider, model: rest.join('/') });
  return null;
}

function maxTurns({ head }: Reading, _key: string, value: unknown): string | null {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1) return 'a whole number of 1 or more';
  head.maxTurns = value;
  return null;
}

function tools(which: 'allow' | 'deny'): Field {
  return ({ head, ignored }, key, value) => {
    const named = mapTools(value, which, head.tools);
    if (named === null) return 'names such as "Read, Edit, Grep"';
    head.tools = named.tools;
    ignored.push(...named.unknown.map((name) => `${key}: ${name}`));
    return null;
  };
}

/** opencode's permissions. The file tools can obey only one of them: a forbidden edit. */
function permission({ head, ignored }: Reading, key: string, value: unknown): string | null {
  const rules = isRecord(value) ? value : {};
  if (value === 'deny' || rules['edit'] === 'deny') head.permissionMode = 'plan';
  ignored.push(...Object.keys(rules).flatMap((name) => (name === 'edit' ? [] : [`${key}: ${name}`])));
  return null;
}

function offsetOf(document: Document, key: string): number {
  if (!isMap(document.contents)) return 0;
  const pair = document.contents.items.find(({ key: node }) => isScalar(node) && node.value === key);
  return isScalar(pair?.key) ? (pair.key.range?.[0] ?? 0) : 0;
}

function invalid(file: string, line: number, expected: string): { readonly ok: false; readonly error: HeadFailure } {
  return failed({ code: 'invalid_spec', message: `${file}:${line}: ${expected}.`, retryable: false });
}
