import { existsSync } from 'node:fs';
import path from 'node:path';
import type { LoadedSettings, SettingOrigin } from '@attractor/settings';

type Agent = SettingOrigin['agent'];

const SERVERS = 'its servers are not started: name them in .mcp.json';
const IGNORED = 'files are kept from an agent with permissions.deny, such as Read(secrets/**)';
const COMMANDS = 'its commands are not offered: put them into .attractor/commands';
const AGENTS = 'its agents are not offered: describe them in .attractor/agents';
const HOOKS = 'its hooks do not run: write them in .attractor/config.json';
const OWN_SETTINGS = 'its settings are not read: see docs/settings.md';

/** Files and folders of other agents that are known and not read, with the reason. In a repository; those of the home folder begin with `~/`. */
const UNREAD: Readonly<Record<string, readonly [Agent, string]>> = {
  '.cursor/mcp.json': ['cursor', SERVERS],
  '~/.cursor/mcp.json': ['cursor', SERVERS],
  '.cursor/hooks.json': ['cursor', HOOKS],
  '~/.cursor/hooks.json': ['cursor', HOOKS],
  '.cursor/commands': ['cursor', COMMANDS],
  '.cursor/agents': ['cursor', AGENTS],
  '.cursorignore': ['cursor', IGNORED],
  '.cursorindexingignore': ['cursor', 'nothing is indexed here'],
  '.vscode/mcp.json': ['copilot', SERVERS],
  '.github/prompts': ['copilot', COMMANDS],
  '.github/chatmodes': ['copilot', AGENTS],
  '.github/agents': ['copilot', AGENTS],
  '.github/hooks': ['copilot', HOOKS],
  '.windsurf/workflows': ['windsurf', COMMANDS],
  '.codeiumignore': ['windsurf', IGNORED],
  '.clineignore': ['cline', IGNORED],
  '.geminiignore': ['gemini', IGNORED],
  '.gemini/extensions': ['gemini', 'extensions of Gemini are not loaded'],
  '~/.gemini/extensions': ['gemini', 'extensions of Gemini are not loaded'],
  '.gooseignore': ['goose', IGNORED],
  '.goose/recipes': ['goose', COMMANDS],
  '~/.config/goose/config.yaml': ['goose', OWN_SETTINGS],
  '.pi/settings.json': ['pi', OWN_SETTINGS],
  '~/.pi/agent/settings.json': ['pi', OWN_SETTINGS],
  '.opencode/plugin': ['opencode', 'plugins of opencode are programs of its own'],
  '.opencode/plugins': ['opencode', 'plugins of opencode are programs of its own'],
  '.opencode/tool': ['opencode', 'tools of opencode are programs of its own: offer them by an MCP server'],
  '.opencode/tools': ['opencode', 'tools of opencode are programs of its own: offer them by an MCP server'],
  '.claude-plugin/marketplace.json': ['claude-code', 'there are no marketplaces here: use --plugin-dir'],
  '.gemini/.env': ['gemini', 'variables are set in the environment, or with "env" in .attractor/config.json'],
  '.gemini/system.md': ['gemini', 'give it with --system-prompt'],
  '.codex/agents': ['codex', AGENTS],
  '.codex/prompts': ['codex', COMMANDS],
  '.qwen/agents': ['qwen', AGENTS],
  '.qwen/commands': ['qwen', COMMANDS],
  '.qwen/skills': ['qwen', 'its skills are not offered: put them into .agents/skills'],
  '.roomodes': ['agents', AGENTS],
  '.rooignore': ['agents', IGNORED],
  '.roo/mcp.json': ['agents', SERVERS],
  '.roo/commands': ['agents', COMMANDS],
  '.aider.conf.yml': ['agents', OWN_SETTINGS],
  '.aiderignore': ['agents', IGNORED],
  '.junie/mcp': ['agents', SERVERS],
  '.junie/agents': ['agents', AGENTS],
  '.junie/commands': ['agents', COMMANDS],
  '.kiro/settings/mcp.json': ['agents', SERVERS],
  '.kiro/hooks': ['agents', HOOKS],
  '.kiro/agents': ['agents', AGENTS],
  '.amp/settings.json': ['agents', OWN_SETTINGS],
  '.amazonq/mcp.json': ['agents', SERVERS],
  '.amazonq/cli-agents': ['agents', AGENTS],
  '.augmentignore': ['agents', IGNORED],
  '.continue/config.yaml': ['agents', OWN_SETTINGS],
  '.continue/mcpServers': ['agents', SERVERS],
  '.factory/droids': ['agents', AGENTS],
  '.factory/mcp.json': ['agents', SERVERS],
  '.zed/settings.json': ['agents', OWN_SETTINGS],
  'crush.json': ['agents', OWN_SETTINGS],
  '.crush.json': ['agents', OWN_SETTINGS],
  '.lsp.json': ['claude-code', 'no language servers are started'],
};

export type UnreadPlaces = { readonly root: string; readonly userHome: string };

/** Of the files that are known and not read, those that are there. */
export function unreadFiles({ root, userHome }: UnreadPlaces): LoadedSettings['unmapped'] {
  return Object.entries(UNREAD).flatMap(([name, [agent, reason]]) => {
    const isOfPerson = name.startsWith('~/');
    const file = isOfPerson ? path.join(userHome, name.slice(2)) : path.join(root, name);
    if (!existsSync(file)) return [];
    return [{ name, reason, origin: { scope: isOfPerson ? 'user' : 'project', agent, file, line: null, name: null } }];
  });
}
