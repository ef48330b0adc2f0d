import { familyNameOf, rowOf, ruleOf, toolsWhere } from '@attractor/tool-table';
import type { JsonNode } from '../json-with-lines.ts';
import { type ForeignReading, prefixRule } from './reading.ts';

/** The names of its tools in the code of Gemini CLI, which its settings take as well. */
const CLASSES: Readonly<Record<string, string>> = {
  ShellTool: 'Bash',
  ReadFileTool: 'Read',
  ReadManyFilesTool: 'Read',
  WriteFileTool: 'Write',
  EditTool: 'Edit',
  SmartEditTool: 'Edit',
  GrepTool: 'Grep',
  RipGrepTool: 'Grep',
  GlobTool: 'Glob',
  LSTool: 'LS',
  WebFetchTool: 'WebFetch',
  WebSearchTool: 'WebSearch',
  WriteTodosTool: 'TodoWrite',
};

/** By the names that Gemini's settings use: the rule for the tool here. */
const TOOLS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(CLASSES),
  ...toolsWhere(({ families }) => families.gemini !== undefined).flatMap((tool) =>
    [familyNameOf(tool, 'gemini'), ...(rowOf(tool)?.foreign ?? [])].map((name) => [name, ruleOf(tool)] as const),
  ),
]);

const PARTS = /^(\w+)(?:\((.*)\))?$/s;

/** `run_shell_command(git status)` → `Bash(git status *)`. */
export function ruleFor(text: string): string | null {
  const [, name = '', content] = PARTS.exec(text) ?? [];
  const tool = TOOLS.get(name);
  if (tool === undefined) return null;
  if (content === undefined) return tool;
  return tool === 'Bash' ? prefixRule(content.split(/\s+/).filter(Boolean)) : null;
}

/** A denial of the first also closes the others. */
const NEEDED_BY: Readonly<Record<string, ReadonlyArray<string>>> = {
  Read: ['Write', 'Edit', 'Grep', 'Glob', 'LS'],
  Edit: ['Write'],
};

/**
 * `tools.core`: of the tools that it brings, only these. The others are denied, and so is every command that does not begin like one of a
 * list. What is listed is judged like everything else: `tools.allowed` says what runs unasked.
 */
export function readCore(reading: ForeignReading, key: string, { items, line, keyLine }: JsonNode): void {
  if (items === null) return reading.fail(line, `"${key}" must be a list of tools`);
  const texts = items.map(({ value }) => String(value));
  const names = texts.map((text) => TOOLS.get(PARTS.exec(text)?.[1] ?? ''));
  for (const [at, text] of texts.entries())
    if (names[at] === undefined)
      reading.leave(`${key}: ${text}`, items[at]?.line ?? line, 'there is no such tool here');
  const there = new Set(names);
  for (const tool of new Set(Object.values(CLASSES))) {
    const needing = (NEEDED_BY[tool] ?? []).filter((one) => there.has(one));
    if (there.has(tool)) continue;
    if (needing.length === 0) reading.entry('permissions.deny', tool, { line: keyLine });
    else reading.leave(`${key}: without ${tool}`, keyLine, `${needing.join(', ')} can't work without it`);
  }
  const commands = texts.filter((_, at) => names[at] === 'Bash');
  if (commands.length === 0 || commands.some((text) => !text.includes('('))) return;
  const but = commands.map((text) => ({ text, rule: ruleFor(text) }));
  for (const { text, rule } of but)
    if (rule === null) reading.leave(`${key}: ${text}`, keyLine, 'it is more than the first words of a command');
  const prefixes = but.flatMap(({ rule }) => (rule === null ? [] : [rule.slice('Bash('.length, -1)]));
  reading.entry('permissions.deny', prefixes.length === 0 ? 'Bash' : `Bash(!${prefixes.join(' | ')})`, {
    line: keyLine,
  });
}

/** Everything that Gemini CLI has a tool for, and the tools of servers. */
export const EVERY_GEMINI_RULE: ReadonlyArray<string> = [...new Set(Object.values(CLASSES)), 'mcp__*'];
