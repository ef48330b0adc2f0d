import { readJsonWithLines, type JsonNode } from '../json-with-lines.ts';
import type { Source, SourceReading } from '../source.ts';
import { OPENCODE_RULES } from './opencode-tools.ts';
import { type ForeignReading, isServer, startReading } from './reading.ts';

/** `opencode.json`: permissions, switched-off tools and MCP servers are mapped; the rest is listed. */
export function readOpencode(source: Source): SourceReading {
  const reading = startReading(source);
  const json = readJsonWithLines(source.text, { comments: true });
  if (!json.ok) reading.fail(json.line, json.message);
  for (const [key, node] of json.ok ? (json.node.members ?? []) : []) {
    if (key === 'mcp') readServers(reading.under(key), node);
    else if (key === 'permission') readPermission(reading.under(key), node);
    else if (key === 'tools') readTools(reading.under(key), node);
    else reading.leave(key, node.keyLine);
  }
  return reading;
}

function readServers(reading: ForeignReading, node: JsonNode): void {
  if (node.members === null) return reading.leave('mcp', node.keyLine, 'it must be an object');
  for (const [name, member] of node.members ?? []) {
    if (isServer(member.value)) reading.entry('mcpServers', member.value, { line: member.keyLine, key: name });
    else reading.leave(`mcp.${name}`, member.keyLine, 'switched off, or names nothing to start');
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

/** Writing alone may be switched off, and editing stay. */
const SWITCHES: Readonly<Record<string, string>> = { ...OPENCODE_RULES, write: 'Write' };

/** `tools: { "write": false }`: the tool is not there. Tools of MCP servers are named `server_tool`, and `*` stands for any letters. */
function readTools(reading: ForeignReading, node: JsonNode): void {
  if (node.members === null) return reading.fail(node.line, '"tools" must be an object: { "write": false }');
  for (const [key, { value, keyLine, line }] of node.members) {
    if (value === true) reading.leave(`tools.${key}`, keyLine, 'every tool is there unless something forbids it');
    else if (value !== false) reading.fail(line, `"tools.${key}" must be true or false`);
    else for (const rule of switchedOff(key)) reading.entry('permissions.deny', rule, { line: keyLine });
  }
}

const EVERY = [...new Set(Object.values(SWITCHES)), 'mcp__*'];

function switchedOff(key: string): ReadonlyArray<string> {
  const known = Object.hasOwn(SWITCHES, key) ? SWITCHES[key] : undefined;
  if (known !== undefined) return [known];
  if (key === '*') return EVERY;
  // Where the name of the server ends is not written: every way to read it is closed.
  const cuts = [...key.matchAll(/_/g)].map(({ index }) => `mcp__${key.slice(0, index)}__${key.slice(index + 1)}`);
  return key.includes('*') || cuts.length === 0 ? [...cuts, `mcp__${key}`] : cuts;
}

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
