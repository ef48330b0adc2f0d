import { isRecord } from '@attractor/base';
import { readJsonWithLines, type JsonNode } from '../json-with-lines.ts';
import type { Source, SourceReading } from '../source.ts';
import { type ForeignReading, serverOf, startReading } from './reading.ts';

/** `opencode.json`: permissions and MCP servers are mapped; the rest is listed. */
export function readOpencode(source: Source): SourceReading {
  const reading = startReading(source);
  const json = readJsonWithLines(source.text, { comments: true });
  if (!json.ok) reading.fail(json.line, json.message);
  for (const [key, node] of json.ok ? (json.node.members ?? []) : []) {
    if (key === 'mcp') readServers(reading, node);
    else if (key === 'permission') readPermission(reading, node);
    else reading.leave(key, node.keyLine);
  }
  return reading;
}

function readServers(reading: ForeignReading, node: JsonNode): void {
  for (const [name, member] of node.members ?? []) {
    const server = isRecord(member.value) ? serverOf(member.value) : null;
    if (server === null) reading.leave(`mcp.${name}`, member.keyLine, 'switched off, or names nothing to start');
    else reading.entry('mcpServers', server, { line: member.keyLine, key: name });
  }
}

const TOOLS: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  glob: 'Glob',
  grep: 'Grep',
  bash: 'Bash',
  task: 'Task',
  skill: 'Skill',
  webfetch: 'WebFetch',
  websearch: 'WebSearch',
};

const ACTIONS = new Set(['allow', 'ask', 'deny']);

function readPermission(reading: ForeignReading, node: JsonNode): void {
  if (node.members === null) return reading.fail(node.line, '"permission" must be an object: { "bash": "ask" }');
  for (const [key, member] of node.members) {
    const tool = Object.hasOwn(TOOLS, key) ? TOOLS[key] : undefined;
    if (tool === undefined) reading.leave(`permission.${key}`, member.keyLine);
    else if (member.members === null) readAction(reading, { key, rule: tool, node: member });
    else for (const [pattern, action] of member.members) readPattern(reading, { key, tool, pattern, node: action });
  }
}

type Action = { readonly key: string; readonly rule: string; readonly node: JsonNode };

function readAction(reading: ForeignReading, { key, rule, node }: Action): void {
  const action = String(node.value);
  if (!ACTIONS.has(action)) return reading.fail(node.line, `"permission.${key}" must be allow, ask or deny`);
  reading.entry(`permissions.${action}`, rule, { line: node.keyLine });
}

type Pattern = { readonly key: string; readonly tool: string; readonly pattern: string; readonly node: JsonNode };

/** There the last match wins, here a denial does: a rule for everything else would hide the others, and asking is the default. */
function readPattern(reading: ForeignReading, { key, tool, pattern, node }: Pattern): void {
  if (pattern === '*' && node.value !== 'allow')
    return reading.leave(`permission.${key}.*`, node.keyLine, 'what no other rule allows asks');
  if (tool !== 'Bash' && pattern !== '*')
    return node.value === 'deny'
      ? reading.fail(node.line, `the rule "${pattern}" of "permission.${key}" does not map: write it in config.json`)
      : reading.leave(`permission.${key}.${pattern}`, node.keyLine);
  readAction(reading, { key, rule: pattern === '*' ? tool : `${tool}(${pattern})`, node });
}
