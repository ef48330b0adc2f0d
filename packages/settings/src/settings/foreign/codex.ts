import { parse, TomlError } from 'smol-toml';
import { isRecord } from '@attractor/base';
import type { Source, SourceReading } from '../source.ts';
import { readCodexHooks } from './codex-hooks.ts';
import { readProfile } from './codex-permissions.ts';
import { readProviders } from './codex-providers.ts';
import { type ForeignReading, isServer, lineOf, startReading } from './reading.ts';

/**
 * `config.toml`: approval policy, sandbox, variables of commands and MCP servers are mapped, those of the profile that it names first; the
 * rest is listed.
 */
export function readCodex(source: Source): SourceReading {
  const reading = startReading(source);
  const { text } = source;
  const { profile, profiles, ...table } = tomlOf(source, reading) ?? {};
  const lineAt = (key: string): number | null =>
    lineOf(text, new RegExp(`^[ \\t]*\\[*[ \\t]*["']?${RegExp.escape(key)}\\b`, 'm'));
  const named = profile === undefined ? {} : profileNamed(profile, profiles);
  const chosen = named ?? {};
  const readKey = (
    key: string,
    value: unknown,
    { name, line }: { readonly name: string; readonly line: number | null },
  ) => {
    const read = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (read === undefined) reading.leave(name, line);
    else read(reading.under(name), value, { line, text, table: { ...table, ...chosen } });
  };
  if (named === null)
    reading.fail(lineAt('profile'), `"profile" names ${String(profile)}, which is not among [profiles]`);
  for (const [key, value] of Object.entries(chosen)) {
    const name = `profiles.${String(profile)}`;
    const line = lineOf(text, new RegExp(`^[ \\t]*\\[?[ \\t]*${RegExp.escape(name)}\\b`, 'm'));
    readKey(key, value, { name: `${name}.${key}`, line });
  }
  for (const [key, value] of Object.entries(table))
    if (!Object.hasOwn(chosen, key)) readKey(key, value, { name: key, line: lineAt(key) });
  const isAll =
    profiles === undefined || (isRecord(profiles) && Object.keys(profiles).every((name) => name === profile));
  if (!isAll) reading.leave('profiles', lineAt('profiles'), 'only the one that `profile` names counts');
  return reading;
}

/** Null: there is none of this name. */
function profileNamed(name: unknown, profiles: unknown): Readonly<Record<string, unknown>> | null {
  const found = typeof name === 'string' && isRecord(profiles) && Object.hasOwn(profiles, name) ? profiles[name] : null;
  return isRecord(found) ? found : null;
}

/** A line of config.toml for a value as it is written on a command line: what is no TOML is a text, as codex has it. */
export function codexSetting(key: string, written: string): string {
  try {
    parse(`value = ${written}`);
    return `${key} = ${written}`;
  } catch {
    return `${key} = ${JSON.stringify(written)}`;
  }
}

/** The table of a TOML file; null, with the problem reported, if it can't be parsed. */
export function tomlOf(source: Source, reading: ForeignReading): Readonly<Record<string, unknown>> | null {
  try {
    return parse(source.text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    reading.fail(error.line, `not valid TOML: ${error.message.split('\n', 1)[0] ?? ''}`);
    return null;
  }
}

type Table = Readonly<Record<string, unknown>>;
type Place = { readonly line: number | null; readonly text: string; readonly table: Table };
type Read = (reading: ForeignReading, value: unknown, place: Place) => void;

/** Never asking means denying here: nothing runs without having been asked about. */
const MODES: Readonly<Record<string, string>> = {
  untrusted: 'default',
  'on-request': 'default',
  'on-failure': 'default',
  never: 'dontAsk',
};

const NOT_WIDER = 'the sandbox is not switched off by it';

const VARIABLES: Readonly<Record<string, string>> = {
  exclude: 'variables.exclude',
  include_only: 'variables.includeOnly',
};

const INHERITED: ReadonlySet<unknown> = new Set(['all', 'core', 'none']);

const VARIABLE_REASONS: Readonly<Record<string, string>> = {
  ignore_default_excludes: 'keys and tokens never reach commands unless variables.pass names them',
};

/** Tools that `[tools]` switches off. */
const TOOLS: Readonly<Record<string, string>> = { web_search: 'WebSearch', view_image: 'view_image' };

const KEYS: Readonly<Record<string, Read>> = {
  default_permissions: (reading, value, { line, text, table }) => {
    const mode = readProfile(reading, value, { line, profiles: table['permissions'] });
    if (mode === null)
      reading.fail(line, `"default_permissions" names ${String(value)}, which is not among [permissions]`);
    else if (table['sandbox_mode'] === undefined) KEYS['sandbox_mode']?.(reading, mode, { line, text, table });
  },
  permissions: (reading, value, { line, table }) => {
    const names = isRecord(value) ? Object.keys(value) : [];
    const others = names.filter((name) => name !== table['default_permissions']);
    if (others.length > 0 || !isRecord(value))
      reading.leave('permissions', line, 'only the one that `default_permissions` names counts');
  },
  web_search: (reading, value, { line }) => {
    if (value === 'disabled') reading.entry('permissions.deny', 'WebSearch', { line });
    else reading.leave('web_search', line, 'it is asked about, or allowed by a rule: WebSearch');
  },
  tools: (reading, value, { line }) => {
    if (!isRecord(value)) return reading.fail(line, '"tools" must be a table');
    for (const [key, given] of Object.entries(value)) {
      const rule = Object.hasOwn(TOOLS, key) ? TOOLS[key] : undefined;
      if (given === false && rule !== undefined)
        reading.under(`tools.${key}`).entry('permissions.deny', rule, { line });
      else reading.leave(`tools.${key}`, line, 'every tool is there unless something forbids it');
    }
  },
  hooks: (reading, value, { line }) => readCodexHooks(reading, value, line),
  approval_policy: (reading, value, { line }) => {
    const mode = typeof value === 'string' && Object.hasOwn(MODES, value) ? MODES[value] : undefined;
    if (mode !== undefined) reading.entry('permissions.defaultMode', mode, { line });
    else if (isRecord(value)) reading.leave('approval_policy', line, 'granular approvals do not map: everything asks');
    else reading.fail(line, `"approval_policy" must be one of ${Object.keys(MODES).join(', ')}`);
  },
  model: (reading, value, { line }) => {
    if (typeof value === 'string' && value !== '') reading.entry('model', value, { line });
    else reading.leave('model', line, 'it must be a text');
  },
  model_provider: (reading, value, { line }) => reading.entry('codexProvider', value, { line }),
  model_providers: readProviders,
  sandbox_mode: (reading, value, { line }) => {
    if (value === 'workspace-write') reading.entry('sandbox.enabled', true, { line });
    else if (value === 'read-only') reading.entry('permissions.defaultMode', 'plan', { line });
    else if (value === 'danger-full-access') reading.leave('sandbox_mode', line, NOT_WIDER);
    else reading.fail(line, '"sandbox_mode" must be one of read-only, workspace-write, danger-full-access');
  },
  sandbox_workspace_write: (reading, value, { line }) => {
    if (!isRecord(value)) return reading.fail(line, '"sandbox_workspace_write" must be a table');
    const table = value;
    const roots = Array.isArray(table['writable_roots']) ? table['writable_roots'] : [];
    for (const root of roots) reading.entry('sandbox.filesystem.allowWrite', String(root), { line });
    for (const key of Object.keys(table))
      if (key !== 'writable_roots') reading.leave(`sandbox_workspace_write.${key}`, line);
  },
  shell_environment_policy: (reading, value, { line }) => {
    if (!isRecord(value)) return reading.fail(line, '"shell_environment_policy" must be a table');
    for (const [key, given] of Object.entries(value)) {
      const name = `shell_environment_policy.${key}`;
      if (key === 'inherit' && INHERITED.has(given)) reading.entry('variables.inherit', given, { line });
      else if (key === 'inherit') reading.fail(line, `"${name}" must be one of ${[...INHERITED].join(', ')}`);
      else if (key === 'set' && !isRecord(given)) reading.leave(name, line, 'it must be a table of texts');
      else if (key === 'set')
        for (const [variable, text] of Object.entries(isRecord(given) ? given : {}))
          reading.entry('env', String(text), { line, key: variable });
      else if (!Object.hasOwn(VARIABLES, key)) reading.leave(name, line, VARIABLE_REASONS[key]);
      else if (!Array.isArray(given)) reading.fail(line, `"${name}" must be a list of names`);
      else for (const pattern of given) reading.entry(VARIABLES[key] ?? '', String(pattern), { line });
    }
  },
  mcp_servers: (reading, value, { text }) => {
    if (!isRecord(value)) return reading.leave('mcp_servers', null, 'it must be a table');
    for (const [name, given] of Object.entries(value)) {
      const line = lineOf(text, new RegExp(`^[ \\t]*\\[mcp_servers\\.["']?${RegExp.escape(name)}`, 'm'));
      if (isServer(given)) reading.entry('mcpServers', { ...given }, { line, key: name });
      else reading.leave(`mcp_servers.${name}`, line, 'switched off, or names nothing to start');
    }
  },
};
