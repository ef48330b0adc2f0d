import { isRecord } from '@attractor/base';
import type { JsonNode } from '../json-with-lines.ts';
import type { Source, SourceReading } from '../source.ts';
import { readCore, ruleFor } from './gemini-tools.ts';
import { type ForeignReading, isServer, membersOf, saysNothing, startReading } from './reading.ts';

/** `settings.json`: lists of tools, MCP servers, hooks and variables of commands are mapped; the rest is listed. */
export function readGemini(source: Source): SourceReading {
  const reading = startReading(source);
  const members = membersOf(source, reading);
  for (const [key, node] of members) {
    const section = node.members === null ? undefined : SECTIONS[key];
    if (saysNothing(node)) reading.leave(key, node.keyLine, 'says nothing');
    else if (key === 'mcpServers') readServers(reading, node);
    else if (key === 'hooks') readHooks(reading, node, members.get('hooksConfig')?.members);
    else if (key === 'security' && node.members !== null) readSecurity(reading.under(key), node);
    else if (key === 'mcp' && node.members !== null)
      readServerLists(reading, node.members, members.get('mcpServers') ?? null);
    else if (key === 'model' && node.members !== null) readModel(reading.under(key), node.members);
    else if (key === 'tools' && node.members !== null)
      for (const [inner, member] of node.members) readTools(reading.under(`tools.${inner}`), `tools.${inner}`, member);
    else if (section !== undefined) readSection(reading, key, { section, node });
    else readTools(reading.under(key), key, node);
  }
  return reading;
}

/** Whether the value says something that counts here. */
type ReadLimit = (reading: ForeignReading, node: JsonNode) => boolean;

type Section = { readonly section: Readonly<Record<string, ReadLimit>>; readonly node: JsonNode };

function readSection(reading: ForeignReading, key: string, { section, node }: Section): void {
  for (const [inner, member] of node.members ?? [])
    if (section[inner]?.(reading.under(`${key}.${inner}`), member) !== true)
      reading.leave(`${key}.${inner}`, member.keyLine);
}

const APPROVAL_MODES: Readonly<Record<string, string>> = { default: 'default', auto_edit: 'acceptEdits', plan: 'plan' };

/** Limits in sections whose other settings have no place here. */
const SECTIONS: Readonly<Record<string, Readonly<Record<string, ReadLimit>>>> = {
  general: {
    defaultApprovalMode: (reading, { value, line, keyLine }) => {
      const mode =
        typeof value === 'string' && Object.hasOwn(APPROVAL_MODES, value) ? APPROVAL_MODES[value] : undefined;
      if (mode !== undefined) reading.entry('permissions.defaultMode', mode, { line: keyLine });
      else reading.fail(line, `"general.defaultApprovalMode" must be one of ${Object.keys(APPROVAL_MODES).join(', ')}`);
      return true;
    },
  },
  admin: {
    secureModeEnabled: (reading, { value, keyLine }) => {
      if (value === true) reading.entry('permissions.disableBypassPermissionsMode', 'disable', { line: keyLine });
      return value === true;
    },
  },
  skills: {
    disabled: (reading, { items }) => {
      for (const { value, line } of items ?? []) reading.entry('permissions.deny', `Skill(${String(value)})`, { line });
      return items !== null;
    },
  },
  hooksConfig: { enabled: (_reading, { value }) => value === false, disabled: (_reading, { items }) => items !== null },
};

function readModel(reading: ForeignReading, members: ReadonlyMap<string, JsonNode>): void {
  for (const [key, { value, keyLine }] of members)
    if (key === 'name' && value !== 'auto') reading.entry('model', value, { line: keyLine });
    else reading.leave(`model.${key}`, keyLine);
}

/** One entry for each group of an event, under its own name; the code that runs hooks decides what the events mean here. */
function readHooks(reading: ForeignReading, node: JsonNode, switches: JsonNode['members'] | undefined): void {
  if (node.members === null) return reading.fail(node.line, '"hooks" must be an object: { … }');
  if (switches?.get('enabled')?.value === false)
    return reading.leave('hooks', node.keyLine, 'hooksConfig.enabled switches them off');
  const off = switches?.get('disabled')?.items?.map(({ value }) => value) ?? [];
  for (const [event, groups] of node.members ?? []) {
    for (const group of groups.items ?? []) {
      const handlers = group.members?.get('hooks')?.items;
      if (handlers === undefined || handlers === null) reading.leave(`hooks.${event}`, group.line, 'names no hooks');
      else reading.entry('hooks', withoutSwitchedOff(group.value, off), { line: group.line, key: event });
    }
    if (groups.items === null) reading.leave(`hooks.${event}`, groups.keyLine);
  }
}

/** A hook is switched off by its name or, if it has none, by what it runs. */
function withoutSwitchedOff(group: unknown, off: ReadonlyArray<unknown>): unknown {
  const handlers: unknown = isRecord(group) ? group['hooks'] : null;
  if (!isRecord(group) || !Array.isArray(handlers) || off.length === 0) return group;
  return { ...group, hooks: handlers.filter((one) => !isRecord(one) || !off.includes(one['name'] ?? one['command'])) };
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
