/**
 * A file of a repository that names programs, permissions or addresses. `below`: every file of a folder, at any depth, with one of the
 * extensions.
 */
export type ExecutablePlace = {
  readonly place: string;
  readonly below?: ReadonlyArray<string>;
  readonly what: string;
};

const ANY = [''];
const MARKDOWN = ['.md'];
const SKILLS = ['SKILL.md'];

/**
 * The executable configuration of a repository: everything that this program, or an agent whose files it reads, would run or obey. Trust is
 * tied to the bytes of these files; none of them is used before. A file that is not listed here is never obeyed.
 */
export const EXECUTABLE_PLACES: ReadonlyArray<ExecutablePlace> = [
  { place: '.attractor', below: ['.json'], what: 'settings, checks, permissions, hooks, MCP servers' },
  { place: '.attractor/instructions.md', what: 'instructions for every agent that works on a task' },
  { place: '.attractor/hooks', below: ANY, what: 'hook programs' },
  { place: '.attractor/commands', below: MARKDOWN, what: 'commands that may run programs' },
  { place: '.attractor/agents', below: MARKDOWN, what: 'agents with tools, hooks and MCP servers' },
  { place: '.attractor/skills', below: SKILLS, what: 'skills with tools and hooks' },
  { place: '.attractor/output-styles', below: MARKDOWN, what: 'output styles' },
  { place: '.attractor/plugins', below: ANY, what: 'plugins and what they bring' },
  { place: '.agents-manager/config.json', what: 'checks and agents' },
  { place: '.agents-manager/instructions.md', what: 'instructions for every agent that works on a task' },
  { place: '.worktreeinclude', what: 'ignored files, such as .env, that are copied to where agents work' },
  { place: '.claude/settings.json', what: 'permissions, hooks, variables, helpers' },
  { place: '.claude/settings.local.json', what: 'permissions, hooks, variables, helpers' },
  { place: '.claude/hooks', below: ANY, what: 'hook programs' },
  { place: '.claude/commands', below: MARKDOWN, what: 'commands that may run programs' },
  { place: '.claude/agents', below: MARKDOWN, what: 'agents with tools, hooks and MCP servers' },
  { place: '.claude/skills', below: SKILLS, what: 'skills with tools and hooks' },
  { place: '.claude/output-styles', below: MARKDOWN, what: 'output styles' },
  { place: '.claude-plugin', below: ['.json'], what: 'a plugin and what it brings' },
  { place: 'hooks/hooks.json', what: 'hooks of a plugin' },
  { place: '.mcp.json', what: 'MCP servers' },
  { place: '.agents/skills', below: SKILLS, what: 'skills with tools and hooks' },
  { place: '.agents/plugins', below: ANY, what: 'plugins and what they bring' },
  { place: '.codex', below: ['.toml', '.rules', 'hooks.json'], what: 'approval policy, MCP servers, rules, hooks' },
  { place: '.codex/skills', below: SKILLS, what: 'skills with tools and hooks' },
  { place: '.gemini', below: ['.json', '.toml'], what: 'settings, MCP servers, policies, commands' },
  { place: '.gemini/agents', below: MARKDOWN, what: 'agents with tools and MCP servers' },
  { place: '.gemini/skills', below: SKILLS, what: 'skills with tools and hooks' },
  { place: 'opencode.json', what: 'permissions, MCP servers, commands' },
  { place: 'opencode.jsonc', what: 'permissions, MCP servers, commands' },
  { place: '.opencode', below: ['.json', '.jsonc', '.md'], what: 'permissions, MCP servers, agents, commands, skills' },
  { place: '.cursor/cli.json', what: 'permissions' },
  { place: '.qwen/settings.json', what: 'permissions' },
  { place: '.pi/prompts', below: MARKDOWN, what: 'commands that may run programs' },
  { place: '.clinerules/workflows', below: MARKDOWN, what: 'commands that may run programs' },
  { place: '.clinerules/hooks', below: ANY, what: 'hook programs' },
];
