import { readCline } from './foreign/cline.ts';
import { readCodex } from './foreign/codex.ts';
import { readCodexHooksFile } from './foreign/codex-hooks.ts';
import { readCodexRules } from './foreign/codex-rules.ts';
import { readCursor, readQwen } from './foreign/denials.ts';
import { readGemini } from './foreign/gemini.ts';
import { readGeminiPolicy } from './foreign/gemini-policy.ts';
import { readOpencode } from './foreign/opencode.ts';
import { saysNothing } from './foreign/reading.ts';
import { type JsonNode, readJsonWithLines } from './json-with-lines.ts';
import { nearName } from './near-name.ts';
import type { SettingProblem } from './origin.ts';
import { SETTINGS, type SettingRow } from './setting-table.ts';
import { unmappedOfClaude } from './unmapped-of-claude.ts';
import type {
  ForeignForm,
  OwnForm,
  SettingEntry,
  Source,
  SourceForm,
  SourceReading,
  UnmappedSetting,
} from './source.ts';
import { readValue } from './value-types.ts';

const FOREIGN = {
  codex: readCodex,
  'codex-rules': readCodexRules,
  'codex-hooks': readCodexHooksFile,
  gemini: readGemini,
  'gemini-policy': readGeminiPolicy,
  opencode: readOpencode,
  cline: readCline,
  cursor: readCursor,
  qwen: readQwen,
} as const satisfies Readonly<Record<ForeignForm, (source: Source) => SourceReading>>;

export function readSource(source: Source): SourceReading {
  const { form } = source;
  return isForeign(form) ? FOREIGN[form](source) : readOwn({ ...source, form });
}

function isForeign(form: SourceForm): form is keyof typeof FOREIGN {
  return Object.hasOwn(FOREIGN, form);
}

type OwnSource = Source & { readonly form: OwnForm };

function readOwn(source: OwnSource): SourceReading {
  // As Claude Code has it: a file that was made and not written yet says nothing.
  if (source.text.trim() === '') return { entries: [], problems: [], unmapped: [] };
  const form = FORMS[source.form];
  const json = readJsonWithLines(source.text, { lastCounts: (name) => !form.unknownIsMistake && !isLimit(form, name) });
  if (!json.ok) return failed(source, json.line, json.message);
  if (json.node.members === null) return failed(source, json.node.line, 'expected a JSON object: { … }');
  const at: Reading = { source, reading: { entries: [], problems: [], unmapped: [] } };
  for (const { name, line } of json.repeated)
    leave(at, { name, line, reason: 'is written twice: the last one counts' });
  const keys = new Map([...json.node.members].filter(([key]) => form.reads(key)));
  readMembers(at, keys, '');
  if (source.form === 'mcp' && source.origin.scope === 'project') readOthers(at, json.node.members);
  return at.reading;
}

/** Whether a limit is at this place, above it or below it. */
function isLimit(form: Form, name: string): boolean {
  return SETTINGS.some((row) => {
    const here = form.nameHere(row);
    if (!row.isLimit || here === null || !form.reads(here)) return false;
    return `${here}.`.startsWith(`${name}.`) || `${name}.`.startsWith(`${here}.`);
  });
}

/** A `.mcp.json` is for servers alone; the file of a person's own has much else. */
function readOthers(at: Reading, members: ReadonlyMap<string, JsonNode>): void {
  for (const [name, { keyLine: line }] of members)
    if (name !== 'mcpServers') leave(at, { name, line, reason: 'only "mcpServers" is read in this file' });
}

/** What is wrong with the user's own `config.json`, without the files it extends. */
export function settingsFileProblems(file: string, text: string): ReadonlyArray<SettingProblem> {
  const origin = { scope: 'user', agent: 'attractor', file, line: null, name: null } as const;
  return readSource({ form: 'own', text, origin }).problems;
}

type Form = {
  readonly reads: (key: string) => boolean;
  readonly nameHere: (row: SettingRow) => string | null;
  readonly unknownIsMistake: boolean;
  readonly unmapped: () => Readonly<Record<string, string>>;
};

const everything = (): boolean => true;
const nothing = (): Readonly<Record<string, string>> => ({});
const ourNames = (row: SettingRow): string | null => (NOT_IN_FILES.test(row.name) ? null : row.name);
const claudeNames = (row: SettingRow): string | null => (row.claude === true ? row.name : (row.claude ?? null));
/** Set by the environment alone. */
const NOT_IN_FILES = /^(?:home$|proxies\.)/;

const FORMS: Readonly<Record<OwnForm, Form>> = {
  own: { reads: (key) => key !== 'extends', nameHere: ourNames, unknownIsMistake: true, unmapped: nothing },
  lenient: { reads: (key) => key !== 'extends', nameHere: ourNames, unknownIsMistake: false, unmapped: nothing },
  claude: { reads: everything, nameHere: claudeNames, unknownIsMistake: false, unmapped: unmappedOfClaude },
  mcp: { reads: (key) => key === 'mcpServers', nameHere: ourNames, unknownIsMistake: false, unmapped: nothing },
};

type Mutable = {
  readonly entries: SettingEntry[];
  readonly problems: SettingProblem[];
  readonly unmapped: UnmappedSetting[];
};

type Reading = { readonly source: OwnSource; readonly reading: Mutable };

function readMembers(at: Reading, members: ReadonlyMap<string, JsonNode>, prefix: string): void {
  const form = FORMS[at.source.form];
  for (const [key, node] of members) {
    const name = prefix + key;
    const row = SETTINGS.find((candidate) => form.nameHere(candidate) === name);
    const below = SETTINGS.filter((candidate) => form.nameHere(candidate)?.startsWith(`${name}.`) === true);
    const unmapped = Object.hasOwn(form.unmapped(), name) ? form.unmapped()[name] : undefined;
    if (row?.idle !== undefined && (row.idleValue ?? node.value) === node.value)
      leave(at, { name, line: node.keyLine, reason: row.idle });
    else if (row !== undefined) readRow(at, row, node);
    else if (below.length > 0) readSection(at, { name, node, rows: below });
    else if (unmapped !== undefined) leave(at, { name, line: node.keyLine, reason: unmapped });
    else readUnknown(at, { name, node, prefix });
  }
}

function readRow({ source, reading }: Reading, row: SettingRow, node: JsonNode): void {
  const read = readValue(row.type, node);
  if (read.ok) {
    const entries = read.items.map(({ key, value, line }) => ({
      name: row.name,
      key,
      value,
      origin: { ...source.origin, line },
    }));
    reading.entries.push(...entries);
    for (const { key, line, expected } of read.left ?? []) {
      const origin = { ...source.origin, line };
      reading.problems.push({ origin, message: `"${row.name}.${key}" must be ${expected}`, failsClosed: false });
    }
  } else {
    const origin = { ...source.origin, line: read.line };
    reading.problems.push({
      origin,
      message: `"${row.name}" must be ${read.expected}`,
      failsClosed: row.isLimit && !saysNothing(node),
    });
  }
}

type Place = { readonly name: string; readonly node: JsonNode };

function readSection(at: Reading, { name, node, rows }: Place & { readonly rows: ReadonlyArray<SettingRow> }): void {
  if (node.members !== null) return readMembers(at, node.members, `${name}.`);
  const failsClosed = rows.some((row) => row.isLimit) && !saysNothing(node);
  const origin = { ...at.source.origin, line: node.line };
  at.reading.problems.push({ origin, message: `"${name}" must be an object: { … }`, failsClosed });
}

type Unmapped = { readonly name: string; readonly line: number; readonly reason: string };

function leave({ source, reading }: Reading, { name, line, reason }: Unmapped): void {
  reading.unmapped.push({ name, origin: { ...source.origin, line }, reason });
}

/** A key that is nearly the name of a limit was probably meant as one. */
function readUnknown(at: Reading, { name, node, prefix }: Place & { readonly prefix: string }): void {
  const form = FORMS[at.source.form];
  const known = knownBelow(form, prefix);
  const near = nearName(name.slice(prefix.length), [...known.keys()]);
  const failsClosed = near !== null && known.get(near) === true;
  const hint = near === null ? `known here: ${[...known.keys()].join(', ')}` : `did you mean "${prefix}${near}"?`;
  const isAside = !form.unknownIsMistake && !failsClosed;
  const reason = near === null ? 'not known here' : `not known here: ${hint}`;
  if (isAside) return leave(at, { name, line: node.keyLine, reason });
  const origin = { ...at.source.origin, line: node.keyLine };
  at.reading.problems.push({ origin, message: `unknown key "${name}": ${hint}`, failsClosed });
}

/** The keys that are valid at a place, and whether any of them holds a limit. */
function knownBelow(form: Form, prefix: string): ReadonlyMap<string, boolean> {
  const known = new Map<string, boolean>();
  for (const row of SETTINGS) {
    const name = form.nameHere(row);
    if (name === null || !name.startsWith(prefix)) continue;
    const key = name.slice(prefix.length).split('.', 1)[0] ?? '';
    known.set(key, known.get(key) === true || row.isLimit);
  }
  return known;
}

/** A whole file that can't be parsed may have contained any limit; one that only adds servers contains none. */
function failed({ form, origin }: Source, line: number, message: string): SourceReading {
  const failsClosed = form !== 'mcp';
  return { entries: [], problems: [{ origin: { ...origin, line }, message, failsClosed }], unmapped: [] };
}
