import { done, isRecord } from '@attractor/base';
import type { AgentConfig } from '@attractor/adapters';
import { type JsonNode, readJsonWithLines, settingsFileProblems } from '@attractor/settings';
import { type AgentRunMode, refuse, type Result } from '@attractor/store';
import { type ConfigProblem, type ConfigRule, judgeConfig } from './config-rules.ts';
import { AGENT_FIELDS, GIT_FIELDS, RUN_CONFIG } from './config-table.ts';
import type { Check, Configured, GitConfig, SecretsCheck, Setup } from './configured.ts';

export type ConfigFile = {
  readonly path: string;
  readonly text: string;
  /** An unknown key is a mistake; in a file that others write too it is ignored. */
  readonly isOurs: boolean;
};

const SECRETS_CHECK = 'no-secrets';
const SETUP_TIMEOUT_MS = 600_000;
const SHOWN_PROBLEMS = 5;

/** Refused with the file, the line and what is expected there: a mistake in a configuration never silently becomes the default. */
export function parseConfig({ path, text, isOurs }: ConfigFile): Result<Configured> {
  const json = readJsonWithLines(text);
  if (!json.ok) return refuse('invalid', `${path}:${json.line}: ${json.message}`);
  const own = [...judgeConfig(json.node, RUN_CONFIG), ...withoutCommand(json.node)];
  const lines = new Set(own.map(({ line }) => line));
  const foreign = isOurs ? foreignProblems(path, text).filter(({ line }) => !lines.has(line)) : [];
  const problems = [...own, ...foreign].toSorted((a, b) => a.line - b.line);
  if (problems.length === 0) return done(toConfigured(path, json.node));
  const told = problems.slice(0, SHOWN_PROBLEMS).map(({ line, message }) => `${path}:${line}: ${message}`);
  const more = problems.length > SHOWN_PROBLEMS ? [`and ${problems.length - SHOWN_PROBLEMS} more`] : [];
  return refuse('invalid', [...told, ...more].join('\n'), { problems });
}

function foreignProblems(path: string, text: string): ReadonlyArray<ConfigProblem> {
  return settingsFileProblems(path, text).map(({ origin, message }) => ({
    path: '',
    line: origin.line ?? 1,
    message,
  }));
}

/** A check that is on and has no command would pass by doing nothing. */
function withoutCommand({ members }: JsonNode): ReadonlyArray<ConfigProblem> {
  return [...(members?.get('checks')?.members ?? [])].flatMap(([name, check]) => {
    const isOff = check.value === false || check.members?.get('enabled')?.value === false;
    if (name === SECRETS_CHECK || isOff || typeof check.value === 'string') return [];
    if (check.members?.has('command') === true) return [];
    const message = `"checks.${name}" has no command: give "checks.${name}.command", such as "npm run ${name}", or switch it off with false`;
    return [{ path: `checks.${name}.command`, line: check.keyLine, message }];
  });
}

type Fields = Readonly<Record<string, unknown>>;

function toConfigured(path: string, node: JsonNode): Configured {
  const value = fieldsOf(node.value);
  const checks = Object.entries(fieldsOf(value['checks']));
  return {
    path,
    checks: checks.flatMap(([name, check]) =>
      name === SECRETS_CHECK ? [] : toCheck(name, check, value['strict'] === true),
    ),
    secrets: toSecretsCheck(fieldsOf(value['checks'])[SECRETS_CHECK]),
    setup: toSetup(value['setup']),
    git: pickGitConfig(value['git']),
    failOnError: value['failOnError'] !== false,
    failOnWarning: value['failOnWarning'] === true,
    defaultAgentType: typeof value['defaultAgentType'] === 'string' ? value['defaultAgentType'] : null,
    agents: Object.fromEntries(
      Object.entries(fieldsOf(value['agents'])).map(([type, config]) => [type, pickAgentConfig(config)]),
    ),
    lines: linesOf(node),
    whole: value,
  };
}

function toCheck(name: string, check: unknown, strict: boolean): ReadonlyArray<Check> {
  const fields = typeof check === 'string' ? { command: check } : fieldsOf(check);
  const command = fields['command'];
  if (typeof command !== 'string' || fields['enabled'] === false) return [];
  return [
    {
      name,
      command,
      severity: severityOf(fields),
      modes: modesOf(fields) ?? (['implement'] satisfies AgentRunMode[]),
      timeoutMs: typeof fields['timeout'] === 'number' ? fields['timeout'] : null,
      strict: typeof fields['strict'] === 'boolean' ? fields['strict'] : strict,
    },
  ];
}

function toSecretsCheck(check: unknown): SecretsCheck {
  const fields = fieldsOf(check);
  return {
    isOn: check !== false && fields['enabled'] !== false,
    isNamed: check !== undefined,
    severity: severityOf(fields),
    modes: modesOf(fields),
  };
}

function severityOf(fields: Fields): Check['severity'] {
  return fields['severity'] === 'warning' ? 'warning' : 'error';
}

function modesOf(fields: Fields): ReadonlyArray<string> | null {
  return Array.isArray(fields['modes']) ? fields['modes'].map(String) : null;
}

function toSetup(value: unknown): Setup | null {
  if (value === undefined) return null;
  const fields = typeof value === 'string' || Array.isArray(value) ? { commands: value } : fieldsOf(value);
  const commands = [fields['commands'], fields['command']].flat().filter((command) => typeof command === 'string');
  const timeoutMs = typeof fields['timeout'] === 'number' ? fields['timeout'] : SETUP_TIMEOUT_MS;
  const inputs = Array.isArray(fields['inputs']) ? fields['inputs'].map(String) : [];
  const shared = Array.isArray(fields['shared']) ? fields['shared'].map(String) : [];
  return commands.length === 0 ? null : { commands, timeoutMs, inputs, shared };
}

/** The known and valid fields; `agentConfigProblem` reports the others. */
export function pickAgentConfig(value: unknown): AgentConfig {
  return Object.fromEntries(pick(AGENT_FIELDS, value));
}

function pickGitConfig(value: unknown): GitConfig {
  return Object.fromEntries(pick(GIT_FIELDS, value));
}

function pick(rules: Readonly<Record<string, ConfigRule>>, value: unknown) {
  const fields = fieldsOf(value);
  return Object.entries(rules).flatMap(([key, rule]) =>
    rule.kind === 'leaf' && rule.fits(fields[key]) ? [[key, fields[key]]] : [],
  );
}

/** What is wrong with the fields of an agent's configuration that a hook or a single run sets, or null. Other keys are not checked. */
export function agentConfigProblem(value: unknown): string | null {
  const fields = fieldsOf(value);
  for (const [key, rule] of Object.entries(AGENT_FIELDS)) {
    if (fields[key] === undefined || rule.kind !== 'leaf' || rule.fits(fields[key])) continue;
    return `"${key}" must be ${rule.expected}`;
  }
  return null;
}

function linesOf(node: JsonNode, path = ''): Readonly<Record<string, number>> {
  const lines: Record<string, number> = {};
  for (const [key, member] of node.members ?? []) {
    const name = path === '' ? key : `${path}.${key}`;
    lines[name] = member.keyLine;
    Object.assign(lines, linesOf(member, name));
  }
  return lines;
}

function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? Object.fromEntries(Object.entries(value)) : {};
}
