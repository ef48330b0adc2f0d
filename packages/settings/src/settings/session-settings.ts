import path from 'node:path';
import type { Decision, PermissionMode, RuleOrigin, RuleScope } from '@attractor/policy';
import { defined } from '@attractor/base';
import type { ProviderSettings, WrittenModel } from '@attractor/llm';
import type { VariableChoice, Variables } from '@attractor/system';
import type { TrustExamination } from '../trust/trust.ts';
import { type LoadedSettings, loadSettings, type SettingsQuery } from './load-settings.ts';
import { describeOrigin, type SettingAgent, type SettingOrigin, type SettingScope, type Sourced } from './origin.ts';
import type { SettingEntry } from './source.ts';
import { MODES } from './value-types.ts';

/** A permission rule as written; the policy decides what it means. */
export type WrittenRule = { readonly text: string; readonly behavior: Decision; readonly origin: RuleOrigin };

/** A group of hooks of one event, as written. */
export type WrittenHooks = Sourced<unknown> & {
  readonly event: string;
  /** Further variables for its commands, such as a plugin's folder. */
  readonly variables?: Readonly<Record<string, string>>;
  /** It counts only in agents of this type, or once this skill was used. */
  readonly within?: { readonly agent: string } | { readonly skill: string };
};

/**
 * Which model is asked, by what is written down. `variables`: those for every session of a person's own files, which may name an address, a key
 * or a model; of a repository none is taken.
 */
export type AskedModel = {
  readonly provider?: string;
  readonly written: ReadonlyArray<WrittenModel>;
  readonly variables: Variables;
  /** Services that a person's file for codex names, and the one of them that codex asks. */
  readonly services: Readonly<Record<string, WrittenService>>;
  readonly codexProvider?: string;
};

/** A service as written: keys and some headers are in variables. */
export type WrittenService = Pick<ProviderSettings, 'protocol' | 'baseUrl' | 'authToken' | 'headers' | 'query'> & {
  readonly apiKeyVariable?: string;
  readonly headerVariables?: Readonly<Record<string, string>>;
};

/** The settings that a session uses, each with its origin. Lists combine all scopes. */
export type SessionSettings = {
  readonly asks: AskedModel;
  readonly mode: Sourced<PermissionMode>;
  readonly isBypassDisabled: boolean;
  readonly rules: ReadonlyArray<WrittenRule>;
  readonly additionalDirectories: ReadonlyArray<Sourced<string>>;
  /** What commands see of the environment; `env` is its `set`. */
  readonly variables: VariableChoice;
  readonly hooks: ReadonlyArray<WrittenHooks>;
  readonly mcpServers: ReadonlyMap<string, Sourced<unknown>>;
  /** `sandbox.network.allowedDomains` and the like, by name without `sandbox.`; lists are whole. */
  readonly sandbox: ReadonlyMap<string, ReadonlyArray<Sourced<unknown>>>;
};

/** What a person's own files say of the model, whatever the folder: the top of the file system is there always, and nobody's project. */
export function modelOfPerson(query: Omit<SettingsQuery, 'folder' | 'only'>): AskedModel {
  return sessionSettings(loadSettings({ ...query, folder: '/', only: ['user'] })).asks;
}

/** The settings that one session uses. */
export function sessionSettings(loaded: LoadedSettings): SessionSettings {
  const of: Of = (name) => loaded.settings.find(({ row }) => row.name === name)?.entries ?? [];
  const areHooksOff = of('disableAllHooks')[0]?.value === true;
  return {
    asks: asksOf(loaded, of),
    mode: modeOf(of('permissions.defaultMode')[0]),
    isBypassDisabled: of('permissions.disableBypassPermissionsMode').length > 0,
    rules: BEHAVIORS.flatMap((behavior) =>
      of(`permissions.${behavior}`).map((entry) => ruleOf(entry, behavior, loaded.trust)),
    ),
    additionalDirectories: of('permissions.additionalDirectories').map(({ value, origin }) => ({
      value: String(value),
      origin,
    })),
    variables: variablesOf(of),
    hooks: areHooksOff ? [] : of('hooks').map(({ key, value, origin }) => ({ event: key ?? '', value, origin })),
    mcpServers: new Map(of('mcpServers').map(({ key, value, origin }) => [key ?? '', { value, origin }])),
    sandbox: sandboxOf(loaded),
  };
}

type Of = (name: string) => ReadonlyArray<SettingEntry>;

function variablesOf(of: Of): VariableChoice {
  const texts = (name: string): ReadonlyArray<string> => of(`variables.${name}`).map(({ value }) => String(value));
  const inherit = of('variables.inherit')[0]?.value;
  return {
    ...(inherit === 'core' || inherit === 'none' ? { inherit } : {}),
    exclude: [...texts('exclude'), ...of('sandbox.credentials.envVars').map(({ value }) => String(value))],
    includeOnly: texts('includeOnly'),
    pass: texts('pass'),
    set: Object.fromEntries(of('env').map(({ key, value }) => [key ?? '', String(value)])),
  };
}

const BEHAVIORS: ReadonlyArray<Decision> = ['deny', 'ask', 'allow'];

/** A file for another agent names the models that this agent asks. */
const MAKERS: Readonly<Partial<Record<SettingAgent, string>>> = {
  'claude-code': 'anthropic',
  codex: 'openai',
  gemini: 'gemini',
};

function asksOf({ settings }: LoadedSettings, of: Of): AskedModel {
  const models = settings.find(({ row }) => row.name === 'model');
  const provider = of('provider')[0]?.value;
  const codexProvider = textOf(of('codexProvider')[0]?.value);
  return {
    ...(typeof provider === 'string' ? { provider } : {}),
    written: [...(models?.entries ?? []), ...(models?.overridden ?? [])].map(({ value, origin }) => ({
      model: String(value),
      where: describeOrigin(origin),
      ...defined({ maker: (origin.agent === 'codex' ? codexProvider : undefined) ?? MAKERS[origin.agent] }),
    })),
    services: servicesOf(of('providers')),
    ...defined({ codexProvider }),
    variables: Object.fromEntries(
      of('env').flatMap(({ key, value, origin: { scope } }) =>
        scope === 'project' || scope === 'local' ? [] : [[key ?? '', String(value)]],
      ),
    ),
  };
}

function servicesOf(entries: ReadonlyArray<SettingEntry>): AskedModel['services'] {
  const services: Record<string, Record<string, unknown>> = {};
  for (const { key, value, origin } of entries) {
    const [, id = '', field = ''] = /^(.*)\.(\w+)$/s.exec(key ?? '') ?? [];
    // What codex asks without `wire_api`.
    if (origin.agent === 'codex') services[id] = { protocol: 'openai', ...services[id], [field]: value };
  }
  return services;
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function isMode(value: unknown): value is PermissionMode {
  return MODES.some((mode) => mode === value);
}

function modeOf(entry: SettingEntry | undefined): Sourced<PermissionMode> {
  const origin: SettingOrigin = entry?.origin ?? {
    scope: 'default',
    agent: 'attractor',
    file: null,
    line: null,
    name: null,
  };
  return { value: isMode(entry?.value) ? entry.value : 'default', origin };
}

const RULE_SCOPES: Readonly<Record<SettingScope, RuleScope>> = {
  default: 'built-in',
  user: 'user',
  project: 'project',
  local: 'local',
  environment: 'user',
  flag: 'flag',
  managed: 'managed',
};

/** A pattern that begins with one slash starts at the repository's root, or in the folder of a person's own file. */
function ruleOf(entry: SettingEntry, behavior: Decision, trust: TrustExamination): WrittenRule {
  const { scope, file, line } = entry.origin;
  const isOfRepository = file === null || scope === 'project' || scope === 'local';
  const root = isOfRepository ? trust.root : path.dirname(file);
  return { text: String(entry.value), behavior, origin: { scope: RULE_SCOPES[scope], file, line, root } };
}

const SANDBOX = 'sandbox.';

function sandboxOf({ settings }: LoadedSettings): SessionSettings['sandbox'] {
  const rows = settings.filter(({ row, entries }) => row.name.startsWith(SANDBOX) && entries.length > 0);
  return new Map(
    rows.map(({ row, entries }) => [
      row.name.slice(SANDBOX.length),
      entries.map(({ value, origin }) => ({ value, origin })),
    ]),
  );
}
