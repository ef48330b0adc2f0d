import { readCline } from './foreign/cline.ts';
import { readCodex } from './foreign/codex.ts';
import { readCodexRules } from './foreign/codex-rules.ts';
import { readGemini, readGeminiPolicy } from './foreign/gemini.ts';
import { readOpencode } from './foreign/opencode.ts';
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
  gemini: readGemini,
  'gemini-policy': readGeminiPolicy,
  opencode: readOpencode,
  cline: readCline,
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
  const json = readJsonWithLines(source.text);
  if (!json.ok) return failed(source, json.line, json.message);
  if (json.node.members === null) return failed(source, json.node.line, 'expected a JSON object: { … }');
  const reading = { entries: [], problems: [], unmapped: [] };
  const keys = new Map([...json.node.members].filter(([key]) => FORMS[source.form].reads(key)));
  readMembers({ source, reading }, keys, '');
  return reading;
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
      leave(at, { name, node, reason: row.idle });
    else if (row !== undefined) readRow(at, row, node);
    else if (below.length > 0) readSection(at, { name, node, rows: below });
    else if (unmapped !== undefined) leave(at, { name, node, reason: unmapped });
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
  } else {
    const origin = { ...source.origin, line: read.line };
    reading.problems.push({ origin, message: `"${row.name}" must be ${read.expected}`, failsClosed: row.isLimit });
  }
}

type Place = { readonly name: string; readonly node: JsonNode };

function readSection(at: Reading, { name, node, rows }: Place & { readonly rows: ReadonlyArray<SettingRow> }): void {
  if (node.members !== null) return readMembers(at, node.members, `${name}.`);
  const failsClosed = rows.some((row) => row.isLimit);
  const origin = { ...at.source.origin, line: node.line };
  at.reading.problems.push({ origin, message: `"${name}" must be an object: { … }`, failsClosed });
}

function leave({ source, reading }: Reading, { name, node, reason }: Place & { readonly reason: string }): void {
  reading.unmapped.push({ name, origin: { ...source.origin, line: node.keyLine }, reason });
}

/** A key that is nearly the name of a limit was probably meant as one. */
function readUnknown(at: Reading, { name, node, prefix }: Place & { readonly prefix: string }): void {
  const form = FORMS[at.source.form];
  const known = knownBelow(form, prefix);
  const near = nearName(name.slice(prefix.length), [...known.keys()]);
  const failsClosed = near !== null && known.get(near) === true;
  if (!form.unknownIsMistake && !failsClosed) return leave(at, { name, node, reason: 'not known here' });
  const hint = near === null ? `known here: ${[...known.keys()].join(', ')}` : `did you mean "${prefix}${near}"?`;
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
