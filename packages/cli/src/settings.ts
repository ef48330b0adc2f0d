import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { defined, isRecord, messageOf } from '@attractor/base';
import { CLOUD_KEYS, type CloudKey, type ProviderSettings as Provider, SERVICES } from '@attractor/llm';
import { type AskedModel, describeProblem, modelOfPerson, settingsFileProblems } from '@attractor/settings';
import { CommandFailure, EXIT } from '@attractor/console';

export { type Environment, homeFolder } from './home-folder.ts';

export type ProviderSettings = {
  readonly apiKey?: string;
  /** A command that prints the key; it is run when one is needed, and again when one is refused. */
  readonly apiKeyHelper?: string;
  readonly baseUrl?: string;
  readonly headers?: Readonly<Record<string, string>>;
} & Pick<Provider, CloudKey | 'protocol'>;

/** What a person configured in `config.json` under the home folder. Absent file: all absent. */
export type Settings = {
  readonly provider?: string;
  readonly model?: string;
  readonly providers?: Readonly<Record<string, ProviderSettings>>;
  /** Defaults for agents by type; read by the platform. */
  readonly agents?: Readonly<Record<string, object>>;
  /** Which agent works where nothing else is said; read by the platform. */
  readonly defaultAgentType?: string;
};

/** Reads `config.json`, and what other files of the person say of the model. A file that can't be parsed stops the command, which says why. */
export function readSettings(home: string): Settings & AskedModel {
  const file = readSettingsFile(home);
  const { env } = process;
  const place = { home, userHome: env['HOME'] ?? homedir(), env, ...defined({ ownFile: file.text }) };
  return { ...settingsOf(file), ...modelOfPerson(place) };
}

/** `config.json` as it was on disk at one moment; without `text` if there is none. */
export type SettingsFile = { readonly file: string; readonly text?: string };

export function readSettingsFile(home: string): SettingsFile {
  const file = join(home, 'config.json');
  const text = readOptional(file);
  return text === undefined ? { file } : { file, text };
}

export function settingsOf({ file, text }: SettingsFile): Settings {
  if (text === undefined) return {};
  const settings = checkSettings(file, parse(file, text), text);
  refuseLostLimits(file, text);
  return settings;
}

function readOptional(file: string): string | undefined {
  try {
    // Reading a pipe would block forever.
    if (statSync(file).isFIFO()) throw new Error('it is a pipe');
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined;
    throw new CommandFailure(`can't read ${file}: ${messageOf(error)}. Make it readable or remove it.`, EXIT.refused);
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail = messageOf(error);
    throw new CommandFailure(
      `${file}:${lineOf(text, detail)}: not valid JSON (${detail}). Fix it, or remove the file to use the defaults.`,
      EXIT.refused,
    );
  }
}

function lineOf(text: string, detail: string): number {
  const position = /position (\d+)/.exec(detail)?.[1];
  return position === undefined ? text.split('\n').length : text.slice(0, Number(position)).split('\n').length;
}

const CHECKS: Readonly<
  Record<keyof Settings, { readonly expected: string; readonly holds: (value: unknown) => boolean }>
> = {
  provider: { expected: 'a string such as "anthropic"', holds: (value) => typeof value === 'string' },
  model: { expected: 'a string such as "claude-sonnet-4-5"', holds: (value) => typeof value === 'string' },
  agents: {
    expected: 'an object such as { "native": { "maxTurns": 50 } }',
    holds: (value) => isRecord(value) && Object.values(value).every(isRecord),
  },
  defaultAgentType: { expected: 'a string such as "native"', holds: (value) => typeof value === 'string' },
  providers: {
    expected: 'an object such as { "anthropic": { "apiKey": "…", "baseUrl": "…" } }',
    holds: (value) =>
      isRecord(value) &&
      Object.values(value).every(
        (entry) => isRecord(entry) && Object.entries(entry).every(([key, item]) => isProviderSetting(key, item)),
      ),
  },
};

function checkSettings(file: string, value: unknown, text: string): Settings {
  if (!isRecord(value))
    throw new CommandFailure(`${file}: expected a JSON object such as { "provider": "anthropic" }.`, EXIT.refused);
  for (const [key, item] of Object.entries(value)) {
    const check = key in CHECKS ? CHECKS[key as keyof Settings] : undefined;
    if (check === undefined) {
      refuseUnknown(file, text, key);
      continue;
    }
    if (!check.holds(item)) throw new CommandFailure(`${file}: "${key}" must be ${check.expected}.`, EXIT.refused);
  }
  return value;
}

/** A key that only the agent's own settings know is read there; an unknown key is a mistake. */
function refuseUnknown(file: string, text: string, key: string): void {
  const known = Object.keys(CHECKS).join(', ');
  for (const problem of settingsFileProblems(file, text))
    if (problem.message.startsWith(`unknown key "${key}"`))
      throw new CommandFailure(
        `${sentence(describeProblem(problem))} Known keys: ${known}, and those that \`attractor config show --all\` lists.`,
        EXIT.refused,
      );
}

/** A limit that can't be parsed must not be mistaken for an unset one. */
function refuseLostLimits(file: string, text: string): void {
  const lost = settingsFileProblems(file, text).find(({ failsClosed }) => failsClosed);
  if (lost !== undefined)
    throw new CommandFailure(`${sentence(describeProblem(lost))} No agent starts until it is fixed.`, EXIT.refused);
}

const TEXTS: ReadonlySet<string> = new Set(['apiKey', 'apiKeyHelper', 'baseUrl', ...CLOUD_KEYS]);

function isProviderSetting(key: string, value: unknown): boolean {
  if (TEXTS.has(key)) return typeof value === 'string';
  if (key === 'protocol') return SERVICES.some(({ protocol }) => protocol === value);
  return key === 'headers' && isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
