import { defined } from '@attractor/base';
import { mcpFormOf, readMcpServers } from '@attractor/mcp';
import { parseRule } from '@attractor/policy';
import {
  describeOrigin,
  type LoadedSettings,
  misspelledTool,
  readHookDefinitions,
  type SettingEntry,
  type SettingOrigin,
  type SettingProblem,
} from '@attractor/settings';

/**
 * What becomes of one thing that was written for another agent. `obeyed`: it counts here. `not obeyed`: it has no effect, and `reason` says
 * why. `refused`: it is not taken as it stands.
 */
export type ForeignRow = {
  readonly agent: SettingOrigin['agent'];
  /** As it is called there. */
  readonly key: string;
  readonly file: string | null;
  readonly line: number | null;
  readonly state: 'obeyed' | 'not obeyed' | 'refused';
  /** What it is called here. */
  readonly as?: string;
  readonly reason?: string;
  /** No agent starts until it is fixed. */
  readonly stops?: true;
};

export type RowsQuery = {
  readonly loaded: LoadedSettings;
  /** The values for `${NAME}` in servers. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Servers that a person switched off, by name. */
  readonly disabled: ReadonlyArray<string>;
  /** Lines about settings that are written down and have no effect; each begins with its file and line. */
  readonly told: ReadonlyArray<string>;
};

/** One row for each entry of the settings files, and one for each part of it that has no effect. */
export function settingRows(query: RowsQuery): ReadonlyArray<ForeignRow> {
  const { settings, ignored, unmapped, problems } = query.loaded;
  return [
    ...settings.flatMap(({ entries, overridden }) => [
      ...entries.flatMap((entry) => fateOf(entry, query)),
      ...overridden.map((entry) => row(entry, { state: 'not obeyed', reason: strongerThan(entries) })),
    ]),
    ...ignored.map(({ entry, reason }) => row(entry, { state: 'refused', reason })),
    ...unmapped.map(unmappedRow),
    ...problems.map(problemRow),
  ];
}

export function unmappedRow({ name, origin, reason }: LoadedSettings['unmapped'][number]): ForeignRow {
  return { ...placeOf(origin), key: name, state: 'not obeyed', reason };
}

export function problemRow({ origin, message, failsClosed, onlyFor }: SettingProblem): ForeignRow {
  const whose = onlyFor === undefined ? '' : ' (only models of Gemini are kept from starting by it)';
  return {
    ...placeOf(origin),
    key: /^(?:The rule |the rule about )?"([^"]+)"/.exec(message)?.[1] ?? 'the file',
    state: 'refused',
    reason: `${message}${whose}`,
    ...(failsClosed && onlyFor === undefined ? { stops: true } : {}),
  };
}

export function placeOf({ agent, file, line, name }: SettingOrigin): Pick<ForeignRow, 'agent' | 'file' | 'line'> {
  return { agent, file: file ?? name, line };
}

type Fate = Pick<ForeignRow, 'state'> & Pick<Partial<ForeignRow>, 'reason' | 'stops'>;

function row(entry: SettingEntry, fate: Fate): ForeignRow {
  const here = entry.key === null ? entry.name : `${entry.name}.${entry.key}`;
  const key = entry.name === 'mcpServers' && entry.written ? `${entry.written}.${entry.key}` : (entry.written ?? here);
  const value = typeof entry.value === 'string' && LISTS.test(entry.name) ? `: ${entry.value}` : '';
  const as = key === here || fate.state !== 'obeyed' ? undefined : `${here}${value}`;
  return { ...placeOf(entry.origin), key: key === here ? `${key}${value}` : key, ...defined({ as }), ...fate };
}

/** Their entries are told apart by their values; none of them holds a secret. */
const LISTS = /^permissions\.|^sandbox\.|^variables\.|^labels$/;

function strongerThan([entry]: ReadonlyArray<SettingEntry>): string {
  return entry === undefined ? 'something stronger counts' : `${describeOrigin(entry.origin)} is stronger`;
}

const OBEYED = { state: 'obeyed' } as const;

function fateOf(entry: SettingEntry, query: RowsQuery): ReadonlyArray<ForeignRow> {
  const behavior = RULES[entry.name];
  if (behavior !== undefined) return [row(entry, ruleFate(entry, behavior))];
  if (entry.name === 'hooks') return hookRows(entry);
  if (entry.name === 'mcpServers') return serverRows(entry, query);
  const reason = toldAbout(entry, query);
  return [row(entry, reason === undefined ? OBEYED : { state: 'not obeyed', reason })];
}

/** Of lines about one place that holds several settings, the one that names this. */
function toldAbout(entry: SettingEntry, { told, loaded }: RowsQuery): string | undefined {
  if (entry.origin.scope === 'default') return undefined;
  const place = describeOrigin(entry.origin);
  const lines = told.filter((line) => line.startsWith(`${place}: `)).map((line) => line.slice(place.length + 2));
  const others = loaded.settings
    .flatMap(({ entries }) => entries)
    .filter(({ name, origin }) => name !== entry.name && describeOrigin(origin) === place);
  const names = [entry.written ?? entry.name, entry.name].map((name) => name.split('.').at(-1) ?? name);
  return lines.find((line) => others.length === 0 || names.some((name) => line.includes(name)));
}

const RULES: Readonly<Record<string, 'allow' | 'ask' | 'deny'>> = {
  'permissions.allow': 'allow',
  'permissions.ask': 'ask',
  'permissions.deny': 'deny',
};

function ruleFate({ value }: SettingEntry, behavior: 'allow' | 'ask' | 'deny'): Fate {
  const parsed = parseRule(String(value), behavior, { scope: 'user', file: null, line: null, root: '/' });
  const strange = parsed.ok ? misspelledTool(parsed.rule.tool) : null;
  if (parsed.ok) return strange === null ? OBEYED : { state: 'not obeyed', reason: strange };
  const reason = parsed.error.message;
  return behavior === 'allow' ? { state: 'not obeyed', reason } : { state: 'refused', reason, stops: true };
}

function hookRows(entry: SettingEntry): ReadonlyArray<ForeignRow> {
  const { key, value, origin } = entry;
  const { definitions, problems, unused } = readHookDefinitions([{ event: key ?? '', value, origin }]);
  const about = (line: string): string =>
    line.slice(`${describeOrigin(origin)}: hooks.`.length).replace(/^[^:]*: /, '');
  const fires = definitions.length > 0 && !unused.some((line) => line.includes(NEVER));
  return [
    ...problems.map((line) => row(entry, { state: 'refused', reason: about(line), stops: true })),
    ...(fires ? [row(entry, OBEYED)] : []),
    ...unused.map((line) => row(entry, { state: 'not obeyed', reason: about(line) })),
  ];
}

const NEVER = ': it never fires: ';

function serverRows(entry: SettingEntry, { env, disabled }: RowsQuery): ReadonlyArray<ForeignRow> {
  const name = entry.key ?? '';
  if (disabled.includes(name)) return [row(entry, { state: 'not obeyed', reason: 'a person switched it off' })];
  const form = mcpFormOf(entry.origin.agent);
  const read = readMcpServers({ form, servers: { [name]: entry.value }, scope: 'user', variables: env });
  const own = row(entry, OBEYED);
  if (read.servers.length === 0)
    return [row(entry, { state: 'not obeyed', reason: read.problems[0]?.message ?? 'it is switched off there' })];
  return [
    own,
    ...read.unmapped.map(({ key }): ForeignRow => ({
      ...placeOf(entry.origin),
      key: `${own.key}.${key}`,
      state: 'not obeyed',
      reason: 'has no effect here',
    })),
  ];
}
