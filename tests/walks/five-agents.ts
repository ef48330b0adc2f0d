import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeFolder } from './attractor.ts';

type Files = Readonly<Record<string, string>>;

/** The home of a person who used five agents side by side. Each has its own settings, rules and types of files. */
const HOME: Files = {
  '.claude/settings.json': `{
  "model": "claude-sonnet-4-5",
  "outputStyle": "Terse",
  "permissions": { "allow": ["Bash(npm test)"], "deny": ["Read(~/.ssh/**)"] },
  "statusLine": { "type": "command", "command": "date" },
  "enabledPlugins": { "shop-tools@shop": true }
}
`,
  '.claude/CLAUDE.md': 'I like short answers. <!-- nobody sees this -->\n@~/notes/style.md\n',
  'notes/style.md': 'Tabs, never spaces.\n',
  '.claude/skills/release/SKILL.md': `---
name: release
description: Makes a release. Use when asked to ship.
allowed-tools: Bash(git log:*)
model: opus
---
Check the log, then tag $ARGUMENTS.
`,
  '.claude/agents/reviewer.md':
    '---\nname: reviewer\ndescription: Reviews changes.\ntools: Read, Grep\n---\nYou review.\n',
  '.claude/output-styles/terse.md': '---\nname: Terse\n---\nAnswer in five words.\n',
  '.codex/config.toml': `model = "gpt-5"
approval_policy = "on-request"
sandbox_mode = "workspace-write"
notify = ["say", "done"]

[mcp_servers.docs]
command = "docs-server"
args = ["--stdio"]
`,
  '.codex/rules/default.rules': `# mine
prefix_rule(
  pattern = ["git", ["push", "fetch"]],
  decision = "prompt",
)
prefix_rule(pattern = ["rm", "-rf"], decision = "forbidden")
`,
  '.codex/prompts/explain.md': '---\ndescription: Explains a file.\n---\nExplain $1.\n',
  '.codex/AGENTS.md': 'From Codex.\n',
  '.gemini/settings.json': `{
  // Gemini allows comments
  "tools": { "allowed": ["run_shell_command(git status)"], "exclude": ["google_web_search"] },
  "theme": "Dracula",
  "mcpServers": { "issues": { "httpUrl": "https://issues.example.test/mcp" } }
}
`,
  '.gemini/policies/mine.toml': `[[rule]]
toolName = "run_shell_command"
commandPrefix = "npm run"
decision = "allow"
priority = 100
`,
  '.gemini/commands/git/commit.toml':
    'description = "Writes a commit message."\nprompt = "Write a message for {{args}}."\n',
  '.gemini/GEMINI.md': 'From Gemini.\n',
  '.config/opencode/opencode.json': `{
  "$schema": "https://opencode.ai/config.json",
  "theme": "nord",
  "permission": { "edit": "ask", "bash": { "git diff *": "allow", "terraform *": "deny" } },
  "mcp": { "local": { "type": "local", "command": ["server", "--x"] } }
}
`,
  '.config/opencode/agent/planner.md':
    '---\ndescription: Plans.\nmode: subagent\npermission:\n  edit: deny\n---\nPlan.\n',
};

/** A repository that was worked on with the same five. */
const REPOSITORY: Files = {
  'AGENTS.md': 'Run the tests.\n',
  'CLAUDE.md': '@AGENTS.md\n@docs/rules.md\n',
  'GEMINI.md': 'Gemini, run the tests.\n',
  'docs/rules.md': 'No default exports.\n',
  '.claude/settings.json': '{ "permissions": { "ask": ["Bash(git push *)"] }, "includeCoAuthoredBy": false }\n',
  '.claude/commands/deploy/check.md': '---\ndescription: Checks a deployment.\n---\nCheck $1 of $2.\n',
  '.claude/skills/migrate/SKILL.md': '---\nname: migrate\ndescription: Writes migrations.\n---\nWrite one.\n',
  '.claude/rules/api.md': '---\npaths: "src/api/**"\n---\nValidate every input.\n',
  'src/api/users.ts': 'export const users = [];\n',
  '.codex/config.toml': 'model_reasoning_effort = "high"\n',
  '.gemini/settings.json': '{ "tools": { "exclude": ["run_shell_command(curl)"] } }\n',
  '.opencode/command/test.md': '---\ndescription: Runs the tests.\nagent: build\n---\nRun them: $ARGUMENTS\n',
  'opencode.jsonc': '{\n  // ours\n  "permission": { "webfetch": "deny" },\n}\n',
  '.clinerules/workflows/review.md': '# Review\nReview it.\n',
  '.agents/plugins/lint/.claude-plugin/plugin.json': '{ "name": "lint", "description": "Lints." }\n',
  '.agents/plugins/lint/commands/fix.md': 'Fix what lint says.\n',
};

/** What Cline keeps in a variable. */
export const CLINE = { CLINE_COMMAND_PERMISSIONS: '{"allow":["make *"],"deny":["sudo *"]}' } as const;

export type FiveAgents = { readonly home: string; readonly repository: string };

export function makeFiveAgents(more: { readonly home?: Files; readonly repository?: Files } = {}): FiveAgents {
  return { home: write({ ...HOME, ...more.home }), repository: write({ ...REPOSITORY, ...more.repository }) };
}

function write(files: Files): string {
  const folder = makeFolder();
  for (const [name, text] of Object.entries(files)) writeOne(folder, name, text);
  return folder;
}

export function writeOne(folder: string, name: string, text: string, mode = 0o644): void {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, mode);
}
