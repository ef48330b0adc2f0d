import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentConfig } from '@attractor/adapters';
import { contentHash } from '../content-hash.ts';
import { done, refuse } from '../refusal.ts';
import type { AgentRunMode } from '../types/index.ts';
import type { Result } from '../workflow-contract.ts';

export type Check = {
  readonly name: string;
  readonly command: string;
  readonly severity: 'error' | 'warning';
  readonly modes: ReadonlyArray<string>;
};

/**
 * What a repository (or a person's home) says about its agents and checks. `hash` covers all of it that is executed or obeyed:
 * a person trusts exactly that, and a change of it is trusted anew. Absent file: nothing configured, hash of nothing.
 */
export type ProjectConfig = {
  readonly path: string | null;
  readonly checks: ReadonlyArray<Check>;
  readonly failOnError: boolean;
  readonly failOnWarning: boolean;
  readonly defaultAgentType: string | null;
  readonly agents: Readonly<Record<string, AgentConfig>>;
  readonly hash: string;
};

const FOLDERS = ['.attractor', '.agents-manager'];

/** `.attractor/config.json`, or `.agents-manager/config.json` where ours is absent. */
export async function readProjectConfig(projectPath: string): Promise<Result<ProjectConfig>> {
  for (const folder of FOLDERS) {
    const path = join(projectPath, folder, 'config.json');
    const text = await readFile(path, 'utf8').catch(() => null);
    if (text !== null) return parseConfig(path, text);
  }
  return done(toConfig(null, {}));
}

/** A person's own defaults for every project: the `agents` section of `<home>/config.json`. */
export async function readHomeAgents(home: string): Promise<Result<ProjectConfig['agents']>> {
  const path = join(home, 'config.json');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return done({});
  const config = parseConfig(path, text);
  return config.ok ? done(config.value.agents) : config;
}

export async function readProjectInstructions(projectPath: string): Promise<string | null> {
  for (const folder of FOLDERS) {
    const text = await readFile(join(projectPath, folder, 'instructions.md'), 'utf8').catch(() => null);
    if (text !== null && text.trim() !== '') return text.trim();
  }
  return null;
}

type Fields = Readonly<Record<string, unknown>>;

function parseConfig(path: string, text: string): Result<ProjectConfig> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(
      'invalid',
      `${path} is not valid JSON (${error instanceof Error ? error.message : String(error)}): correct it.`,
    );
  }
  if (!isFields(value)) return refuse('invalid', `${path} must hold a JSON object: correct it.`);
  const bad = checkEntries(value).find(([, check]) => commandOf(check) === null);
  if (bad !== undefined)
    return refuse('invalid', `${path}: checks.${bad[0]} needs a command (a text, or an object with "command").`);
  return done(toConfig(path, value));
}

function toConfig(path: string | null, value: Fields): ProjectConfig {
  const obeyed = {
    checks: checkEntries(value).flatMap(([name, check]) => toCheck(name, check)),
    failOnError: value['failOnError'] !== false,
    failOnWarning: value['failOnWarning'] === true,
    defaultAgentType: typeof value['defaultAgentType'] === 'string' ? value['defaultAgentType'] : null,
    agents: readAgents(value['agents']),
  };
  return { path, ...obeyed, hash: contentHash(obeyed) };
}

function checkEntries(value: Fields): ReadonlyArray<readonly [string, unknown]> {
  return isFields(value['checks']) ? Object.entries(value['checks']) : [];
}

function commandOf(check: unknown): string | null {
  const command = isFields(check) ? check['command'] : check;
  return typeof command === 'string' && command.trim() !== '' ? command : null;
}

function toCheck(name: string, check: unknown): ReadonlyArray<Check> {
  const command = commandOf(check);
  const fields = isFields(check) ? check : {};
  if (command === null || fields['enabled'] === false) return [];
  const modes = Array.isArray(fields['modes']) ? fields['modes'].map(String) : (['implement'] satisfies AgentRunMode[]);
  return [{ name, command, severity: fields['severity'] === 'warning' ? 'warning' : 'error', modes }];
}

type Kind = 'string' | 'number' | 'boolean';
const AGENT_FIELDS: ReadonlyArray<readonly [keyof AgentConfig, Kind]> = [
  ['model', 'string'],
  ['provider', 'string'],
  ['maxTurns', 'number'],
  ['timeout', 'number'],
  ['systemPrompt', 'string'],
  ['autoCommit', 'boolean'],
  ['branchPrefix', 'string'],
  ['baseBranch', 'string'],
];

/** Known fields of the right kind; anything else is passed over. */
export function pickAgentConfig(value: unknown): AgentConfig {
  if (!isFields(value)) return {};
  const known = AGENT_FIELDS.filter(([key, kind]) => typeof value[key] === kind).map(([key]) => [key, value[key]]);
  return Object.fromEntries(known);
}

function readAgents(value: unknown): ProjectConfig['agents'] {
  if (!isFields(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([type, config]) => [type, pickAgentConfig(config)]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
