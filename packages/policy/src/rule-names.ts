import {
  type ContentKind,
  familyNameOf,
  ownNameOf,
  isRuleName,
  rowOf,
  type RuleName,
  RULES,
  TOOL_NAMES,
} from '@attractor/tool-table';

/** The names that people write in rules, besides the tools' own names. In another case they would mean nothing. */
export const KNOWN_NAMES: ReadonlyArray<string> = [
  ...Object.keys(RULES),
  ...TOOL_NAMES.map((tool) => familyNameOf(tool, 'anthropic')).filter(
    (name) => !TOOL_NAMES.some((own) => own === name),
  ),
];

export function contentKindOf(name: string): ContentKind {
  const rule = ruleNameOf(name);
  return isRuleName(rule) ? RULES[rule] : 'parameter';
}

/** The name that rules with content use for this tool. */
export function ruleNameOf(name: string): string {
  return isRuleName(name) ? name : (rowOf(name)?.rule ?? name);
}

/** Whether this tool runs shell commands. */
export function isCommand(toolName: string): boolean {
  return rowOf(toolName)?.rule === 'Bash';
}

/** Whether a rule that names `name` covers this tool. MCP tools are also named by their server, and with stars. */
export function namesTool(name: string, toolName: string): boolean {
  if (name === toolName) return true;
  if (name.startsWith('mcp__')) return namesMcpTool(name, toolName);
  return ownNameOf(name) === ownNameOf(toolName) || (isRuleName(name) && covers(name, toolName));
}

function covers(rule: RuleName, toolName: string): boolean {
  const row = rowOf(toolName);
  return row !== undefined && (row.rule === rule || row.under?.includes(rule) === true);
}

/** `mcp__server` is `mcp__server__*`; a star matches any letters, but never the two underscores that end a server's name. */
function namesMcpTool(name: string, toolName: string): boolean {
  const [, server = '', tool = '*'] = /^mcp__((?:(?!__).)+)(?:__(.+))?$/.exec(name) ?? [];
  const [, ofServer, ofTool] = /^mcp__((?:(?!__).)+)__(.+)$/.exec(toolName) ?? [];
  if (ofServer === undefined || ofTool === undefined) return false;
  return matchesStars(server, ofServer) && matchesStars(tool, ofTool);
}

/** `*` matches any text. Backtracking to the last star only keeps it linear. */
export function matchesStars(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return pattern === text;
  const last = rest.pop() ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  const end = text.length - last.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1 || found + piece.length > end) return false;
    at = found + piece.length;
  }
  return true;
}
