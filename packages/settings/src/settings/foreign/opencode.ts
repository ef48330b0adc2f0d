import type { JsonNode } from '../json-with-lines.ts';
import type { Source, SourceReading } from '../source.ts';
import { meaningOf } from './opencode-permission.ts';
import { EVERY_OPENCODE_RULE, OPENCODE_RULES, rulesOfServerTool } from './opencode-tools.ts';
import { type ForeignReading, isServer, membersOf, saysNothing, startReading } from './reading.ts';

const REASONS: Readonly<Record<string, string>> = {
  $schema: 'names a schema for editors',
  agent: 'agents are offered from files: .opencode/agent/NAME.md',
  mode: 'agents are offered from files: .opencode/agent/NAME.md',
  command: 'commands are offered from files: .opencode/command/NAME.md',
  instructions: 'further instruction files are not read: name them in AGENTS.md',
};

/** `opencode.json`: permissions, switched-off tools and MCP servers are mapped; the rest is listed. */
export function readOpencode(source: Source): SourceReading {
  const reading = startReading(source);
  for (const [key, node] of membersOf(source, reading)) {
    if (saysNothing(node)) reading.leave(key, node.keyLine, 'says nothing');
    else if (key === 'mcp') readServers(reading.under(key), node);
    else if ((key === 'agent' || key === 'mode') && node.members !== null) readOwnAgents(reading, key, node.members);
    else if (!readLimits(reading, key, node)) reading.leave(key, node.keyLine, REASONS[key]);
  }
  return reading;
}

/** What the session itself may not do. */
function readLimits(reading: ForeignReading, name: string, node: JsonNode): boolean {
  const key = name.slice(name.lastIndexOf('.') + 1);
  if (key === 'permission') readPermission(reading.under(name), name, node);
  else if (key === 'tools') readTools(reading.under(name), name, node);
  else return false;
  return true;
}

/** `build` is who works unless another is asked for: what it may not do holds for the session. */
function readOwnAgents(reading: ForeignReading, key: string, agents: ReadonlyMap<string, JsonNode>): void {
  for (const [name, node] of agents) {
    if (name !== 'build' || node.members === null) reading.leave(`${key}.${name}`, node.keyLine, REASONS[key]);
    else
      for (const [inner, member] of node.members)
        if (!readLimits(reading, `${key}.build.${inner}`, member))
          reading.leave(
            `${key}.build.${inner}`,
            member.keyLine,
            'has no place here: the session works as it is asked to',
          );
  }
}

function readServers(reading: ForeignReading, node: JsonNode): void {
  if (node.members === null) return reading.leave('mcp', node.keyLine, 'it must be an object');
  for (const [name, member] of node.members ?? []) {
    if (isServer(member.value)) reading.entry('mcpServers', member.value, { line: member.keyLine, key: name });
    else reading.leave(`mcp.${name}`, member.keyLine, 'switched off, or names nothing to start');
  }
}

/** Writing alone may be switched off, and editing stay. */
const SWITCHES: Readonly<Record<string, string>> = { ...OPENCODE_RULES, write: 'Write' };

/** `tools: { "write": false }`: the tool is not there. Tools of MCP servers are named `server_tool`, and `*` stands for any letters. */
function readTools(reading: ForeignReading, name: string, node: JsonNode): void {
  if (node.members === null) return reading.fail(node.line, `"${name}" must be an object: { "write": false }`);
  for (const [key, { value, keyLine, line }] of node.members) {
    if (value === true) reading.leave(`${name}.${key}`, keyLine, 'every tool is there unless something forbids it');
    else if (value !== false) reading.fail(line, `"${name}.${key}" must be true or false`);
    else for (const rule of switchedOff(key)) reading.entry('permissions.deny', rule, { line: keyLine });
  }
}

function switchedOff(key: string): ReadonlyArray<string> {
  const known = Object.hasOwn(SWITCHES, key) ? SWITCHES[key] : undefined;
  if (known !== undefined) return [known];
  return key === '*' ? ['Write', ...EVERY_OPENCODE_RULE] : rulesOfServerTool(key);
}

type Row = { readonly key: string; readonly tool: string; readonly pattern: string; readonly node: JsonNode };

function readPermission(reading: ForeignReading, name: string, node: JsonNode): void {
  if (node.members === null && typeof node.value !== 'string')
    return reading.fail(node.line, `"${name}" must be an object: { "bash": "ask" }`);
  const rows = node.members === null ? [{ key: name, tool: '*', pattern: '*', node }] : rowsIn(name, node.members);
  const asked = rows.map(({ tool, pattern, node: { value } }) => ({ tool, pattern, action: value }));
  for (const [
    at,
    {
      key,
      node: { line, keyLine },
    },
  ] of rows.entries()) {
    const { behavior, rules, reason = '', isLost } = meaningOf(asked, at);
    if (rules !== undefined)
      for (const rule of rules) reading.entry(`permissions.${behavior}`, rule, { line: keyLine });
    else if (isLost === true) reading.fail(line, `"${key}" ${reason}`);
    else reading.leave(key, keyLine, reason);
  }
}

function rowsIn(name: string, members: ReadonlyMap<string, JsonNode>): ReadonlyArray<Row> {
  return [...members].flatMap(([tool, node]): ReadonlyArray<Row> => {
    const key = `${name}.${tool}`;
    if (node.members === null) return [{ key, tool, pattern: '*', node }];
    return [...node.members].map(([pattern, inner]) => ({ key: `${key}.${pattern}`, tool, pattern, node: inner }));
  });
}
