import { type HeadField, readFrontmatter } from './frontmatter.ts';
import { nearName } from '../settings/near-name.ts';
import { type Findings, reportProblem, reportUnmapped } from './findings.ts';
import type { FoundFile } from './places.ts';
import { splitTools } from './split-tools.ts';

/**
 * What a field of a head must be. `words`: a list, or texts separated by commas or blanks; `tools`: the same with parentheses kept whole.
 */
export type FieldKind = 'text' | 'flag' | 'count' | 'words' | 'tools' | 'any';

/** `isLimit`: it may forbid something; a file in which it can't be parsed is left out. `reason`: why it has no counterpart here. */
export type FieldRow = { readonly kind: FieldKind; readonly isLimit?: true; readonly reason?: string };

export type Head = {
  readonly values: ReadonlyMap<string, unknown>;
  readonly lines: ReadonlyMap<string, number>;
  readonly body: string;
};

/** Parses the head of a file by a table of its fields; null, with the problem reported, if the file can't be used. */
export function readHeadFields(
  found: FoundFile,
  rows: Readonly<Record<string, FieldRow>>,
  findings: Findings,
): Head | null {
  const { origin } = found;
  const read = readFrontmatter(found.text);
  if (!read.ok) {
    reportProblem(findings, { origin, line: read.line }, read.message);
    return null;
  }
  const values = new Map<string, unknown>();
  let isUsable = true;
  for (const [name, field] of read.fields) {
    const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
    const said = row === undefined ? unknownField(name, rows) : readField(name, field, row);
    if (said.value !== undefined) values.set(name, said.value);
    if (said.problem !== undefined) reportProblem(findings, { origin, line: field.line }, said.problem);
    if (said.reason !== undefined)
      reportUnmapped(findings, { origin, line: field.line }, { name, reason: said.reason });
    if (said.isLost === true) isUsable = false;
  }
  const lines = new Map([...read.fields].map(([name, { line }]) => [name, line]));
  return isUsable ? { values, lines, body: read.body } : null;
}

type Said = {
  readonly value?: unknown;
  readonly problem?: string;
  readonly reason?: string;
  /** A limit may have been lost. */
  readonly isLost?: boolean;
};

function unknownField(name: string, rows: Readonly<Record<string, FieldRow>>): Said {
  const near = nearName(name, Object.keys(rows));
  if (near !== null && rows[near]?.isLimit === true)
    return {
      problem: `unknown key "${name}": did you mean "${near}"? It is not used until this is fixed`,
      isLost: true,
    };
  return { reason: 'not known here' };
}

function readField(name: string, { value }: HeadField, row: FieldRow): Said {
  if (value === null || value === undefined) return {};
  const { expected, read } = KINDS[row.kind];
  const given = read(value);
  if (given === undefined) {
    const end = row.isLimit === true ? '. It is not used until this is fixed' : '';
    return { problem: `"${name}" must be ${expected}${end}`, isLost: row.isLimit === true };
  }
  return row.reason === undefined ? { value: given } : { value: given, reason: row.reason };
}

type Kind = { readonly expected: string; readonly read: (value: unknown) => unknown };

const KINDS: Readonly<Record<FieldKind, Kind>> = {
  text: {
    expected: 'a text',
    read: (value) => (typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : undefined),
  },
  flag: { expected: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) },
  count: {
    expected: 'a whole number of 1 or more',
    read: (value) => (typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : undefined),
  },
  words: {
    expected: 'a list, or names parted by commas',
    read: (value) => listOf(value, (text) => text.split(/[\s,]+/)),
  },
  tools: { expected: 'tools such as "Read, Grep, Bash(git log *)"', read: (value) => listOf(value, splitTools) },
  any: { expected: 'anything', read: (value) => value },
};

function listOf(value: unknown, split: (text: string) => ReadonlyArray<string>): ReadonlyArray<string> | undefined {
  if (typeof value === 'string') return split(value).filter(Boolean);
  if (!Array.isArray(value) || !value.every((item) => typeof item === 'string')) return undefined;
  return value.map((item: string) => item.trim()).filter(Boolean);
}

export function textIn({ values }: Head, name: string): string | undefined {
  const value = values.get(name);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function listIn({ values }: Head, name: string): ReadonlyArray<string> | undefined {
  const value = values.get(name);
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : undefined;
}

export function flagIn({ values }: Head, name: string): boolean | undefined {
  const value = values.get(name);
  return typeof value === 'boolean' ? value : undefined;
}

export function countIn({ values }: Head, name: string): number | undefined {
  const value = values.get(name);
  return typeof value === 'number' ? value : undefined;
}

const OF_PLUGIN = 'it belongs in the manifest of a plugin';

/** Fields that Claude Code takes in the head of a skill or a command that is a plugin by itself. */
export const PLUGIN_FIELDS_IN_HEADS: Readonly<Record<string, FieldRow>> = {
  ...Object.fromEntries(
    'version displayName author homepage repository keywords created_by improved_by'
      .split(' ')
      .map((name) => [name, { kind: 'any' }]),
  ),
  ...Object.fromEntries(
    'defaultEnabled dependencies userConfig mcpServers lspServers agents outputStyles themes workflows channels monitors settings experimental'
      .split(' ')
      .map((name) => [name, { kind: 'any', reason: OF_PLUGIN }]),
  ),
  fallback: { kind: 'any', reason: 'it is not done another way where it fails' },
  'hide-from-slash-command-tool': { kind: 'any', reason: 'write disable-model-invocation' },
};
