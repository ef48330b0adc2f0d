import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentConfig } from '@attractor/adapters';
import { createLocalExecutionEnvironment, examineTrust, type TrustExamination } from '@attractor/agent';
import { done, refuse } from '../refusal.ts';
import type { AgentRunMode } from '../types/index.ts';
import type { Result } from '../workflow-contract.ts';

export type Check = {
  readonly name: string;
  readonly command: string;
  readonly severity: 'error' | 'warning';
  readonly modes: ReadonlyArray<string>;
};

/** What a repository, or a person's home, says about agents and checks. Absent file: nothing configured. */
type Configured = {
  readonly path: string | null;
  readonly checks: ReadonlyArray<Check>;
  readonly failOnError: boolean;
  readonly failOnWarning: boolean;
  readonly defaultAgentType: string | null;
  readonly agents: Readonly<Record<string, AgentConfig>>;
};

/**
 * `hash` covers every byte of the repository's executable configuration, these files and all others: a person trusts exactly that.
 * Nothing here may be run or obeyed unless `trust` is `trusted`; the bytes that were parsed are the bytes that were hashed.
 */
export type ProjectConfig = Configured & { readonly hash: string; readonly trust: TrustExamination['state'] };

const FOLDERS = ['.attractor', '.agents-manager'];

/** `.attractor/config.json`, or `.agents-manager/config.json` where ours is absent. `home` is where trust is kept. */
export function readProjectConfig(projectPath: string, { home }: { readonly home: string }): Result<ProjectConfig> {
  const { files, hash, state } = examineTrust(projectPath, { home });
  const file = FOLDERS.flatMap((folder) => files.find(({ path }) => path === `${folder}/config.json`) ?? [])[0];
  const config =
    file === undefined ? done(toConfig(null, {})) : parseConfig(join(projectPath, file.path), file.content);
  return config.ok ? done({ ...config.value, hash, trust: state }) : config;
}

/** What a run follows: nothing at all, not even a mistake, of a repository that nobody trusted as it is. */
export function followedConfig(projectPath: string, place: { readonly home: string }): Result<ProjectConfig> {
  const read = readProjectConfig(projectPath, place);
  if (read.ok) return read;
  const { hash, state } = examineTrust(projectPath, place);
  return state === 'trusted' ? read : done({ ...toConfig(null, {}), hash, trust: state });
}

/** A person's own defaults for every project: the `agents` section of `<home>/config.json`. */
export async function readHomeAgents(home: string): Promise<Result<Configured['agents']>> {
  const path = join(home, 'config.json');
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return done({});
  const config = parseConfig(path, text);
  return config.ok ? done(config.value.agents) : config;
}

const MAX_INSTRUCTIONS = 100_000;

/** Words for the model, not settings. Read as a tool would: a link that leads out of the repository tells it nothing. */
export async function readProjectInstructions(projectPath: string): Promise<string | null> {
  const repository = createLocalExecutionEnvironment(projectPath, 'inherit_none');
  for (const folder of FOLDERS) {
    const text = await repository.readText(join(folder, 'instructions.md')).catch(() => '');
    if (text.trim() !== '') return text.trim().slice(0, MAX_INSTRUCTIONS);
  }
  return null;
}

type Fields = Readonly<Record<string, unknown>>;

function parseConfig(path: string, text: string): Result<Configured> {
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

function toConfig(path: string | null, value: Fields): Configured {
  return {
    path,
    checks: checkEntries(value).flatMap(([name, check]) => toCheck(name, check)),
    failOnError: value['failOnError'] !== false,
    failOnWarning: value['failOnWarning'] === true,
    defaultAgentType: typeof value['defaultAgentType'] === 'string' ? value['defaultAgentType'] : null,
    agents: readAgents(value['agents']),
  };
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

function readAgents(value: unknown): Configured['agents'] {
  if (!isFields(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([type, config]) => [type, pickAgentConfig(config)]));
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
