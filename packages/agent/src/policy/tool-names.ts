import { houseNameOf } from '../profiles/names.ts';

/** What the words between the parentheses of a rule mean for a tool. */
export type ContentKind = 'command' | 'read' | 'edit' | 'domain' | 'agent' | 'skill' | 'folder' | 'parameter';

type Row = { readonly content: ContentKind; readonly tools: ReadonlyArray<string> };

const PATCHES = ['edit_file', 'multi_edit', 'apply_patch'] as const;
const EDITS = [...PATCHES, 'write_file', 'notebook_edit'] as const;
const READS = [
  'read_file',
  'read_many_files',
  'notebook_read',
  'view_image',
  'grep',
  'grep_search',
  'glob',
  'list_dir',
] as const;

/**
 * The names that people write in rules, and the tools that each stands for, under the house's names. A name that is not here stands
 * for the tool of that name alone, whatever a profile calls it.
 */
const ROWS: Readonly<Record<string, Row>> = {
  Bash: { content: 'command', tools: ['shell', 'exec_command', 'local_shell'] },
  Read: { content: 'read', tools: READS },
  NotebookRead: { content: 'read', tools: ['notebook_read'] },
  Edit: { content: 'edit', tools: EDITS },
  MultiEdit: { content: 'edit', tools: PATCHES },
  Write: { content: 'edit', tools: ['write_file'] },
  NotebookEdit: { content: 'edit', tools: ['notebook_edit'] },
  Grep: { content: 'parameter', tools: ['grep', 'grep_search'] },
  WebFetch: { content: 'domain', tools: ['web_fetch'] },
  Agent: { content: 'agent', tools: ['task', 'spawn_agent'] },
  Task: { content: 'agent', tools: ['task', 'spawn_agent'] },
  Skill: { content: 'skill', tools: ['skill'] },
  SlashCommand: { content: 'skill', tools: ['slash_command'] },
  Cd: { content: 'folder', tools: [] },
};

/** By the house's name: the name in whose content rules speak of the tool. `shell(git log *)` is `Bash(git log *)`. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  shell: 'Bash',
  exec_command: 'Bash',
  local_shell: 'Bash',
  read_file: 'Read',
  read_many_files: 'Read',
  notebook_read: 'Read',
  view_image: 'Read',
  edit_file: 'Edit',
  multi_edit: 'MultiEdit',
  apply_patch: 'Edit',
  write_file: 'Write',
  notebook_edit: 'NotebookEdit',
  web_fetch: 'WebFetch',
  task: 'Agent',
  spawn_agent: 'Agent',
  skill: 'Skill',
  slash_command: 'SlashCommand',
};

export function contentKindOf(name: string): ContentKind {
  return rowOf(ruleNameOf(name))?.content ?? 'parameter';
}

/** The name under which rules with content speak of this tool. */
export function ruleNameOf(name: string): string {
  if (rowOf(name) !== undefined) return name;
  const house = houseNameOf(name);
  return Object.hasOwn(WRITTEN_AS, house) ? (WRITTEN_AS[house] ?? name) : name;
}

/** Does this tool run shell commands? */
export function isCommand(toolName: string): boolean {
  return ROWS['Bash']?.tools.includes(houseNameOf(toolName)) === true;
}

/** Does a rule that names `name` speak of this tool? MCP tools are named by their server as well, and with stars. */
export function namesTool(name: string, toolName: string): boolean {
  if (name === toolName) return true;
  if (name.startsWith('mcp__')) return namesMcpTool(name, toolName);
  const house = houseNameOf(toolName);
  return houseNameOf(name) === house || (rowOf(name)?.tools.includes(house) ?? false);
}

/** `mcp__server` is `mcp__server__*`; a star stands for any letters, but never for the two lines that end a server's name. */
function namesMcpTool(name: string, toolName: string): boolean {
  const [, server = '', tool = '*'] = /^mcp__((?:(?!__).)+)(?:__(.+))?$/.exec(name) ?? [];
  const [, ofServer, ofTool] = /^mcp__((?:(?!__).)+)__(.+)$/.exec(toolName) ?? [];
  if (ofServer === undefined || ofTool === undefined) return false;
  return matchesStars(server, ofServer) && matchesStars(tool, ofTool);
}

/** `*` stands for any text. Going back to the last star only keeps it linear. */
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

function rowOf(name: string): Row | undefined {
  return Object.hasOwn(ROWS, name) ? ROWS[name] : undefined;
}
