import { isRecord } from '@attractor/base';
import { readJsonWithLines, type JsonNode } from '../json-with-lines.ts';
import type { Source, SourceReading } from '../source.ts';
import { tomlOf } from './codex.ts';
import { readCore, ruleFor } from './gemini-tools.ts';
import { type ForeignReading, isServer, prefixRule, startReading } from './reading.ts';

/** `settings.json`: lists of tools, MCP servers, hooks and variables of commands are mapped; the rest is listed. */
export function readGemini(source: Source): SourceReading {
  const reading = startReading(source);
  const json = readJsonWithLines(source.text, { comments: true });
  if (!json.ok) reading.fail(json.line, json.message);
  for (const [key, node] of json.ok ? (json.node.members ?? []) : []) {
    if (key === 'mcpServers') readServers(reading, node);
    else if (key === 'hooks') readHooks(reading, node);
    else if (key === 'security' && node.members !== null) readSecurity(reading.under(key), node);
    else if (key === 'mcp' && node.members !== null)
      readServerLists(reading, node.members, json.ok ? (json.node.members?.get('mcpServers') ?? null) : null);
    else if (key === 'model' && node.members !== null) readModel(reading.under(key), node.members);
    else if (key === 'tools' && node.members !== null)
      for (const [inner, member] of node.members) readTools(reading.under(`tools.${inner}`), `tools.${inner}`, member);
    else readTools(reading.under(key), key, node);
  }
  return reading;
}

function readModel(reading: ForeignReading, members: ReadonlyMap<string, JsonNode>): void {
  for (const [key, { value, keyLine }] of members)
    if (key === 'name' && value !== 'auto') reading.entry('model', value, { line: keyLine });
    else reading.leave(`model.${key}`, keyLine);
}

/** One entry for each group of an event, under its own name; the code that runs hooks decides what the events mean here. */
function readHooks(reading: ForeignReading, node: JsonNode): void {
  if (node.members === null) return reading.fail(node.line, '"hooks" must be an object: { … }');
  for (const [event, groups] of node.members ?? []) {
    for (const group of groups.items ?? []) {
      const handlers = group.members?.get('hooks')?.items;
      if (handlers === undefined || handlers === null) reading.leave(`hooks.${event}`, group.line, 'names no hooks');
      else reading.entry('hooks', group.value, { line: group.line, key: event });
    }
    if (groups.items === null) reading.leave(`hooks.${event}`, groups.keyLine);
  }
}

/** Which servers may be started. `allowed` is about those of the same file. */
function readServerLists(
  reading: ForeignReading,
  lists: ReadonlyMap<string, JsonNode>,
  servers: JsonNode | null,
): void {
  for (const [key, { items, line, keyLine }] of lists) {
    const under = reading.under(`mcp.${key}`);
    const names = items?.map(({ value }) => String(value)) ?? [];
    const others = [...(servers?.members?.keys() ?? [])].filter((name) => !names.includes(name));
    if (key !== 'allowed' && key !== 'excluded') reading.leave(`mcp.${key}`, keyLine);
    else if (items === null) reading.fail(line, `"mcp.${key}" must be a list of servers`);
    else
      for (const name of key === 'excluded' ? names : others)
        under.entry('disabledMcpjsonServers', name, { line: keyLine });
  }
}

const VARIABLES: Readonly<Record<string, string>> = { allowed: 'variables.pass', blocked: 'variables.exclude' };

/** Which variables commands see, and whether everything may be allowed at once; everything else about safety is decided here. */
function readSecurity(reading: ForeignReading, node: JsonNode): void {
  for (const [key, member] of node.members ?? []) {
    if (key === 'disableYoloMode' && member.value === true)
      reading.entry('permissions.disableBypassPermissionsMode', 'disable', { line: member.keyLine });
    else if (key !== 'environmentVariableRedaction') reading.leave(`security.${key}`, member.keyLine);
    else
      for (const [inner, { items, keyLine }] of member.members ?? []) {
        const name = Object.hasOwn(VARIABLES, inner) ? VARIABLES[inner] : undefined;
        if (name === undefined)
          reading.leave(`security.${key}.${inner}`, keyLine, 'commands never get secrets unasked');
        else if (items === null) reading.fail(keyLine, `"security.${key}.${inner}" must be a list of names`);
        else for (const item of items) reading.entry(name, String(item.value), { line: item.line });
      }
  }
}

const LISTS: Readonly<Record<string, string>> = {
  'tools.allowed': 'allow',
  'tools.exclude': 'deny',
  allowedTools: 'allow',
  excludeTools: 'deny',
};

function readTools(reading: ForeignReading, key: string, node: JsonNode): void {
  if (key === 'tools.core' || key === 'coreTools') return readCore(reading, key, node);
  const behavior = Object.hasOwn(LISTS, key) ? LISTS[key] : undefined;
  if (behavior === undefined) return reading.leave(key, node.keyLine);
  if (node.items === null) return reading.fail(node.line, `"${key}" must be a list of tools`);
  for (const item of node.items) {
    const text = String(item.value);
    const rule = ruleFor(text) ?? (behavior === 'deny' ? serverRule(text) : null);
    if (rule !== null) reading.entry(`permissions.${behavior}`, rule, { line: item.line });
    else if (behavior === 'deny') reading.fail(item.line, `"${String(item.value)}" is not a tool that is known here`);
    else reading.leave(`${key}: ${String(item.value)}`, item.line);
  }
}

/** A tool that Gemini CLI does not bring is one of a server: `tool`, or `server__tool`. */
function serverRule(text: string): string | null {
  if (!/^[A-Za-z][\w.-]*$/.test(text)) return null;
  return text.startsWith('mcp__') ? text : `mcp__${text.includes('__') ? text : `*__${text}`}`;
}

function readServers(reading: ForeignReading, node: JsonNode): void {
  if (node.members === null) return reading.leave('mcpServers', node.keyLine, 'it must be an object');
  for (const [name, member] of node.members ?? []) {
    if (isServer(member.value)) reading.entry('mcpServers', member.value, { line: member.keyLine, key: name });
    else reading.leave(`mcpServers.${name}`, member.keyLine, 'names nothing to start');
  }
}

const DECISIONS: Readonly<Record<string, string>> = { allow: 'allow', ask_user: 'ask', deny: 'deny' };

/**
 * `policies/*.toml`: rules about a tool, or about commands that begin with certain words. Priorities are replaced by the order deny, ask,
 * allow.
 */
export function readGeminiPolicy(source: Source): SourceReading {
  const reading = startReading(source);
  const table = tomlOf(source, reading);
  const rules = table?.['rule'];
  const lines = [...source.text.matchAll(/^[ \t]*\[\[[ \t]*rule/gm)].map(
    ({ index }) => source.text.slice(0, index).split('\n').length,
  );
  for (const [index, rule] of (Array.isArray(rules) ? rules : []).entries())
    if (isRecord(rule)) readPolicy(reading.under('rule'), rule, lines[index] ?? null);
  for (const key of Object.keys(table ?? {})) if (key !== 'rule') reading.leave(key, null);
  return reading;
}

/** A rule in that program's own terms was written for its models: others are not kept from starting by it. */
const ONLY_FOR = 'gemini';

const NARROWING = ['argsPattern', 'commandRegex', 'mcpName', 'modes'];

function readPolicy(reading: ForeignReading, rule: Readonly<Record<string, unknown>>, line: number | null): void {
  const decision = String(rule['decision']);
  const behavior = Object.hasOwn(DECISIONS, decision) ? DECISIONS[decision] : undefined;
  if (behavior === undefined) return reading.fail(line, '"decision" must be allow, ask_user or deny');
  const prefix = rule['commandPrefix'];
  const given = prefix === undefined ? [rule['toolName']].flat() : [prefix].flat();
  const narrows = NARROWING.find((key) => rule[key] !== undefined);
  for (const text of given.map(String)) {
    const mapped = prefix === undefined ? ruleFor(text) : prefixRule(text.split(/\s+/).filter(Boolean));
    const what = narrows === undefined ? `the rule about "${text}"` : `the rule about "${text}" with "${narrows}"`;
    if (mapped !== null && narrows === undefined) reading.entry(`permissions.${behavior}`, mapped, { line });
    else if (behavior === 'deny') reading.fail(line, `${what} does not map: write it in config.json`, ONLY_FOR);
    else reading.leave(`rule: ${text}`, line);
  }
}
