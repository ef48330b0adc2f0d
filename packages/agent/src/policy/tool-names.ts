/** What the words between the parentheses of a rule mean for a tool. */
export type ContentKind = 'command' | 'read' | 'edit' | 'domain' | 'agent' | 'skill' | 'folder' | 'parameter';

type Row = { readonly content: ContentKind; readonly tools: ReadonlyArray<string> };

const SEARCHES = ['grep', 'grep_search', 'search_file_content', 'glob', 'list_dir', 'list_directory'] as const;
const PATCHES = ['edit_file', 'apply_patch', 'replace'] as const;

/**
 * The names that people write in rules, and the tools that each stands for under the names of every profile. A name that is not
 * here stands for the tool of that name alone.
 */
const ROWS: Readonly<Record<string, Row>> = {
  Bash: { content: 'command', tools: ['shell', 'run_shell_command', 'exec_command', 'local_shell'] },
  BashOutput: { content: 'parameter', tools: ['bash_output'] },
  KillShell: { content: 'parameter', tools: ['kill_shell'] },
  Read: { content: 'read', tools: ['read_file', 'view_image', ...SEARCHES] },
  Edit: { content: 'edit', tools: [...PATCHES, 'write_file', 'notebook_edit', 'Write', 'MultiEdit', 'NotebookEdit'] },
  MultiEdit: { content: 'edit', tools: [...PATCHES] },
  Write: { content: 'edit', tools: ['write_file'] },
  NotebookEdit: { content: 'edit', tools: ['notebook_edit'] },
  Grep: { content: 'parameter', tools: ['grep', 'grep_search', 'search_file_content'] },
  Glob: { content: 'parameter', tools: ['glob'] },
  LS: { content: 'parameter', tools: ['list_dir', 'list_directory'] },
  WebFetch: { content: 'domain', tools: ['web_fetch'] },
  WebSearch: { content: 'parameter', tools: ['web_search', 'google_web_search'] },
  Agent: { content: 'agent', tools: ['spawn_agent', 'Task'] },
  Task: { content: 'agent', tools: ['spawn_agent', 'Agent'] },
  Skill: { content: 'skill', tools: ['skill'] },
  Cd: { content: 'folder', tools: [] },
  TodoWrite: { content: 'parameter', tools: ['todo_write', 'update_plan'] },
};

/** Names of our own tools may be written as well: `shell(git log *)` is `Bash(git log *)`. */
const WRITTEN_AS: Readonly<Record<string, string>> = {
  shell: 'Bash',
  run_shell_command: 'Bash',
  exec_command: 'Bash',
  local_shell: 'Bash',
  read_file: 'Read',
  view_image: 'Read',
  edit_file: 'Edit',
  apply_patch: 'Edit',
  replace: 'Edit',
  write_file: 'Write',
  notebook_edit: 'NotebookEdit',
  web_fetch: 'WebFetch',
  spawn_agent: 'Agent',
  skill: 'Skill',
};

export function contentKindOf(name: string): ContentKind {
  return rowOf(ruleNameOf(name))?.content ?? 'parameter';
}

/** The name under which rules speak of this tool. */
export function ruleNameOf(toolName: string): string {
  return Object.hasOwn(WRITTEN_AS, toolName) ? (WRITTEN_AS[toolName] ?? toolName) : toolName;
}

/** Does a rule that names `name` speak of this tool? MCP tools are named by their server as well, and with stars. */
export function namesTool(name: string, toolName: string): boolean {
  if (name === toolName) return true;
  if (name.startsWith('mcp__')) return namesMcpTool(name, toolName);
  return rowOf(name)?.tools.includes(toolName) ?? false;
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
