/**
 * A repository as people of one agent have it. `ignored`: everything in it that has no effect here, as `file: key`; all else is obeyed.
 * `linked`: folders that are links to others.
 */
export type Repository = {
  readonly kind: string;
  readonly files: Readonly<Record<string, string>>;
  readonly linked?: Readonly<Record<string, string>>;
  readonly obeyed: ReadonlyArray<string>;
  readonly ignored: ReadonlyArray<string>;
};

const head = (fields: string, body: string): string => `---\n${fields}\n---\n${body}\n`;
const json = (value: unknown): string => JSON.stringify(value, null, 2);
const hook = (command: string) => [{ matcher: 'Edit', hooks: [{ type: 'command', command }] }];

export const REPOSITORIES: ReadonlyArray<Repository> = [
  {
    kind: 'a monorepo of Node packages for Claude Code',
    files: {
      'CLAUDE.md': 'Run npm test.\n',
      'packages/web/CLAUDE.md': 'React only.\n',
      '.claude/rules/api.md': head('paths: ["src/api/**"]', 'Validate input.'),
      '.claude/settings.json': json({
        $schema: 'https://json.schemastore.org/claude-code-settings.json',
        permissions: { allow: ['Bash(npm run *)', 'mcp__*', 'SlashCommand:*'], deny: ['Read(.env)'] },
        hooks: { PostToolUse: hook('npx prettier --write .'), TeammateIdle: hook('true') },
        enableAllProjectMcpServers: true,
        enabledPlugins: { 'x@y': true },
        includeCoAuthoredBy: false,
        env: { CI: '1' },
      }),
      '.claude/settings.local.json': json({ permissions: { allow: ['WebFetch(domain:docs.test)'] } }),
      '.claude/agents/reviewer.md': head(
        'name: reviewer\ndescription: Reviews.\ntools: Read, Grep\ncolor: red',
        'Review.',
      ),
      '.claude/commands/git/commit.md': head('description: Commits\nallowed-tools: Bash(git commit:*)', 'Commit $1.'),
      '.mcp.json': json({ mcpServers: { docs: { command: 'npx', args: ['docs'], alwaysLoad: true } } }),
    },
    obeyed: ['permissions.deny: Read(.env)', 'hooks.PostToolUse', 'mcpServers.docs', 'agent reviewer', 'CLAUDE.md'],
    ignored: [
      '.claude/settings.json: $schema',
      '.claude/settings.json: permissions.allow: mcp__*',
      '.claude/settings.json: permissions.allow: SlashCommand:*',
      '.claude/settings.json: hooks.TeammateIdle',
      '.claude/settings.json: enableAllProjectMcpServers',
      '.claude/settings.json: enabledPlugins',
      '.claude/settings.json: includeCoAuthoredBy',
      '.mcp.json: mcpServers.docs.alwaysLoad',
    ],
  },
  {
    kind: 'Codex with AGENTS.md',
    files: {
      'AGENTS.md': 'Use cargo.\n',
      'crates/core/AGENTS.md': 'No unsafe.\n',
      '.codex/config.toml':
        'model = "gpt-5"\napproval_policy = "on-request"\nsandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nnetwork_access = true\n[mcp_servers.search]\ncommand = "search"\nenabled_tools = ["find"]\nrequired = true\n',
      '.codex/rules/default.rules': 'prefix_rule(pattern=["git", "push"], decision="prompt")\n',
      '.codex/hooks.json': json({ hooks: { PreToolUse: hook('x.sh') } }),
      'AGENTS.override.md': 'Use my cargo.\n',
    },
    obeyed: [
      'AGENTS.override.md',
      'hooks.PreToolUse',
      'approval_policy',
      'mcp_servers.search',
      'permissions.ask: Bash(git push *)',
    ],
    ignored: [
      'AGENTS.md: AGENTS.md',
      '.codex/config.toml: sandbox_mode',
      '.codex/config.toml: sandbox_workspace_write.network_access',
      '.codex/config.toml: mcp_servers.search.required',
    ],
  },
  {
    kind: 'Gemini CLI',
    files: {
      'GEMINI.md': 'Use Go.\n@./docs/style.md\n',
      'docs/style.md': 'Tabs.\n',
      '.gemini/settings.json': json({
        ui: { theme: 'dark' },
        tools: { exclude: ['run_shell_command(curl)'], sandbox: 'docker' },
        mcpServers: { issues: { httpUrl: 'https://mcp.test/', trust: true, includeTools: ['list'] } },
        hooks: { BeforeTool: [{ matcher: '*', hooks: [{ type: 'command', command: 'true' }] }], BeforeModel: [] },
      }),
      '.gemini/policies/team.toml':
        '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "^git push"\ndecision = "deny"\npriority = 10\n',
      '.gemini/commands/plan/draft.toml': 'description = "Plans"\nprompt = "Plan {{args}}"\n',
      '.geminiignore': 'secrets/\n',
    },
    obeyed: ['GEMINI.md', 'tools.exclude', 'mcpServers.issues', 'hooks.BeforeTool', 'command /plan:draft'],
    ignored: [
      '.gemini/settings.json: ui',
      '.gemini/settings.json: tools.sandbox',
      '.gemini/settings.json: mcpServers.issues.trust',
      '.gemini/policies/team.toml: run_shell_command',
      '.geminiignore: .geminiignore',
    ],
  },
  {
    kind: 'Cursor',
    files: {
      '.cursor/rules/always.mdc': '---\ndescription: Always\nalwaysApply: true\n---\nBe terse.\n',
      '.cursor/rules/web.mdc': '---\nglobs: *.tsx\n---\nHooks only.\n',
      '.cursorrules': 'Old rules.\n',
      '.cursor/mcp.json': json({ mcpServers: { a: { command: 'a' } } }),
      '.cursor/cli.json': json({ permissions: { allow: ['Shell(ls)'], deny: ['Shell(rm)'] } }),
      '.cursorignore': '*.pem\n',
    },
    obeyed: ['always.mdc', 'web.mdc', '.cursorrules', 'permissions.deny: Bash(rm:*)'],
    ignored: [
      '.cursor/cli.json: permissions.allow',
      '.cursor/mcp.json: .cursor/mcp.json',
      '.cursorignore: .cursorignore',
    ],
  },
  {
    kind: 'opencode with comments in its JSON',
    files: {
      '.opencode/opencode.jsonc':
        '{\n  // ours\n  "model": "anthropic/claude-sonnet-4-5",\n  "tools": { "webfetch": false, "read": true },\n  "permission": { "bash": { "git push": "ask", "*": "ask" } },\n  "mcp": { "off": { "type": "local", "command": ["x"], "enabled": false } },\n}\n',
      '.opencode/agent/docs.md': head('description: Writes docs\nmode: subagent\ntemperature: 0.1', 'Write docs.'),
      '.opencode/command/test.md': head('description: Tests\nsubtask: true', 'Run tests.'),
      '.opencode/plugin/notify.ts': 'export const x = 1;\n',
      '.opencode/node_modules/a/b/c/d/e/f/g/h/i/j/k/package.json': '{}',
    },
    obeyed: ['tools', 'permission', 'agent docs', 'command /test'],
    ignored: [
      '.opencode/agent/docs.md: temperature',
      '.opencode/opencode.jsonc: model',
      '.opencode/opencode.jsonc: tools.read',
      '.opencode/opencode.jsonc: mcp.off',
      '.opencode/plugin: .opencode/plugin',
    ],
  },
  {
    kind: 'Cline',
    files: {
      '.clinerules/style.md': 'Two blanks.\n',
      '.clinerules/workflows/ship.md': 'Ship it.\n',
      '.clinerules/hooks/PreToolUse': '#!/bin/sh\n',
      '.clineignore': 'dist/\n',
    },
    obeyed: ['style.md', 'command /ship'],
    ignored: ['.clineignore: .clineignore'],
  },
  {
    kind: 'Copilot, beside AGENTS.md',
    files: {
      'AGENTS.md': 'Use pnpm.\n',
      '.github/copilot-instructions.md': 'Prefer composition.\n',
      '.github/instructions/ts.instructions.md': head('applyTo: "**/*.ts"', 'No any.'),
      '.github/prompts/new.prompt.md': 'New component.\n',
      '.vscode/mcp.json': json({ servers: {} }),
    },
    obeyed: ['AGENTS.md'],
    ignored: [
      '.github/copilot-instructions.md: copilot-instructions.md',
      '.github/instructions/ts.instructions.md: ts.instructions.md',
      '.github/prompts: .github/prompts',
      '.vscode/mcp.json: .vscode/mcp.json',
    ],
  },
  {
    kind: 'goose',
    files: { '.goosehints': 'Use just.\n', '.gooseignore': '.env\n', '.goose/recipes/ci.yaml': 'title: CI\n' },
    obeyed: ['.goosehints'],
    ignored: ['.goose/recipes: .goose/recipes', '.gooseignore: .gooseignore'],
  },
  {
    kind: 'a marketplace of plugins',
    files: {
      '.claude-plugin/marketplace.json': json({ name: 'm', owner: { name: 'o' }, plugins: [] }),
      '.agents/plugins/lint/.claude-plugin/plugin.json': json({
        name: 'lint',
        description: 'Lints',
        lspServers: './x',
      }),
      '.agents/plugins/lint/hooks/hooks.json': json({
        hooks: { PostToolUse: hook('${CLAUDE_PLUGIN_ROOT}/run.sh'), TeammateIdle: hook('true') },
      }),
      '.agents/plugins/lint/skills/fix/SKILL.md': head('name: fix\ndescription: Fixes lint.', 'Fix it.'),
      '.agents/plugins/lint/commands/all.md': 'Lint all.\n',
    },
    obeyed: ['plugin lint', 'skill lint:fix', 'command /lint:all'],
    ignored: [
      '.agents/plugins/lint/.claude-plugin/plugin.json: lspServers',
      '.agents/plugins/lint/hooks/hooks.json: hooks.TeammateIdle',
      '.claude-plugin/marketplace.json: .claude-plugin/marketplace.json',
    ],
  },
  {
    kind: 'skills in one folder that others are linked to',
    files: {
      '.agents/skills/create-pr/SKILL.md': head(
        'name: n8n:create-pr\ndescription: Makes a pull request.\nlicense: MIT\npaths: ["src/**"]',
        'Look: !`git status`',
      ),
      '.agents/skills/tidy/SKILL.md': head('name: tidy\ndescription: Tidies.\nflavour: sweet', 'Tidy.'),
    },
    linked: { '.claude/skills': '../.agents/skills', '.codex/skills': '../.agents/skills' },
    obeyed: ['skill n8n:create-pr', 'skill tidy'],
    ignored: ['.claude/skills/create-pr/SKILL.md: paths', '.claude/skills/tidy/SKILL.md: flavour'],
  },
  {
    kind: 'Kiro, Junie, Roo, Amp and Aider',
    files: {
      '.kiro/steering/product.md': 'A shop.\n',
      '.kiro/settings/mcp.json': json({ mcpServers: {} }),
      '.junie/guidelines.md': 'Small steps.\n',
      '.roo/rules/style.md': 'No tabs.\n',
      '.roomodes': '{}',
      '.aider.conf.yml': 'read: CONVENTIONS.md\n',
      'CONVENTIONS.md': 'Types first.\n',
      'AGENT.md': 'Ask first.\n',
      '.amp/settings.json': '{}',
    },
    obeyed: ['product.md', 'guidelines.md', 'style.md', 'CONVENTIONS.md', 'AGENT.md'],
    ignored: [
      '.aider.conf.yml: .aider.conf.yml',
      '.amp/settings.json: .amp/settings.json',
      '.kiro/settings/mcp.json: .kiro/settings/mcp.json',
      '.roomodes: .roomodes',
    ],
  },
  {
    kind: 'Windsurf and Qwen',
    files: {
      '.windsurfrules': 'Old.\n',
      '.windsurf/rules/new.md': 'New.\n',
      '.windsurf/workflows/release.md': 'Release.\n',
      'QWEN.md': 'Hello.\n',
      '.qwen/settings.json': json({ permissions: { deny: ['Bash(curl *)'] }, model: {} }),
    },
    obeyed: ['.windsurfrules', 'new.md', 'QWEN.md', 'permissions.deny: Bash(curl *)'],
    ignored: ['.qwen/settings.json: model', '.windsurf/workflows: .windsurf/workflows'],
  },
];
