import type { JsonNode } from '../json-with-lines.ts';
import type { Source, SourceReading } from '../source.ts';
import { type ForeignReading, membersOf, startReading } from './reading.ts';

const NOT_TAKEN = 'of this agent only what is denied counts here';

/** `.cursor/cli.json`, `~/.cursor/cli-config.json`: `permissions.deny` such as `Shell(rm)`, `Write(*.key)`. Nothing else is obeyed. */
export function readCursor(source: Source): SourceReading {
  return readDenials(source, { deny: cursorRule });
}

/** `.qwen/settings.json`: `permissions.deny` and `ask`, in the rules of Claude Code. */
export function readQwen(source: Source): SourceReading {
  return readDenials(source, { deny: plainRule, ask: plainRule });
}

/** The rule here, or null: what is meant is not certain. */
type RuleOf = (text: string) => string | null;

function readDenials(source: Source, lists: Readonly<Record<string, RuleOf>>): SourceReading {
  const reading = startReading(source);
  for (const [key, node] of membersOf(source, reading)) {
    if (key !== 'permissions' || node.members === null) reading.leave(key, node.keyLine, NOT_TAKEN);
    else for (const [list, member] of node.members) readList(reading, { list, member, ruleOf: lists[list] });
  }
  return reading;
}

type List = { readonly list: string; readonly member: JsonNode; readonly ruleOf: RuleOf | undefined };

function readList(reading: ForeignReading, { list, member, ruleOf }: List): void {
  const name = `permissions.${list}`;
  if (ruleOf === undefined) return reading.leave(name, member.keyLine, NOT_TAKEN);
  if (member.items === null) return reading.fail(member.line, `"${name}" must be a list of rules`);
  for (const { value, line } of member.items) {
    const rule = typeof value === 'string' ? ruleOf(value) : null;
    if (rule === null)
      reading.doubt(line, `the rule ${JSON.stringify(value)} can't be read, and nothing is denied by it`);
    else reading.entry(name, rule, { line });
  }
}

const CURSOR_RULES: Readonly<Record<string, RuleOf>> = {
  Shell: shellRule,
  Read: (about) => `Read(${about})`,
  Write: (about) => `Edit(${about})`,
  WebFetch: (about) => (/^[\w.*-]+$/.test(about) ? `WebFetch(domain:${about})` : null),
  Mcp: (about) => {
    const [, server = '', tool = ''] = /^([\w-]+):([\w*-]+)$/.exec(about) ?? [];
    return server === '' ? null : tool === '*' ? `mcp__${server}` : `mcp__${server}__${tool}`;
  },
};

function cursorRule(text: string): string | null {
  const [, tool = '', about = ''] = /^(\w+)\((.+)\)$/s.exec(text.trim()) ?? [];
  return Object.hasOwn(CURSOR_RULES, tool) ? (CURSOR_RULES[tool]?.(about.trim()) ?? null) : null;
}

/** `command`, or `command:arguments`; a name alone means the command with any arguments. */
function shellRule(about: string): string | null {
  if (/^\*+$/.test(about)) return 'Bash';
  const [, command = '', given] = /^([^:\s()]+)(?::(.*))?$/s.exec(about) ?? [];
  if (command === '') return null;
  return given === undefined || /^\*+$/.test(given) ? `Bash(${command}:*)` : `Bash(${command} ${given})`;
}

function plainRule(text: string): string | null {
  return /^[\w-]+(?:\(.+\))?$/s.test(text.trim()) ? text.trim() : null;
}
