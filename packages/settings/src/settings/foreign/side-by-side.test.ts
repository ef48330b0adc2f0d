import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '@attractor/base/testing';
import { examineTrust, trustRepository } from '../../trust/trust.ts';
import { loadSettings, type LoadedSettings } from '../load-settings.ts';
import { describeOrigin, describeProblem } from '../origin.ts';
import { sessionSettings } from '../session-settings.ts';

const USER = {
  '.codex/config.toml': [
    'model = "gpt-5"',
    'approval_policy = "never"',
    'sandbox_mode = "workspace-write"',
    '[sandbox_workspace_write]',
    'writable_roots = ["/data"]',
    'network_access = true',
    '[mcp_servers.docs]',
    'command = "docs-server"',
    'args = ["--stdio"]',
    '[mcp_servers.off]',
    'command = "x"',
    'enabled = false',
    '',
  ].join('\n'),
  '.codex/rules/mine.rules': [
    '# mine',
    'prefix_rule(pattern=["git", ["status", "log"]], decision="allow")',
    'prefix_rule(',
    "    pattern = ['rm', '-rf'],",
    '    decision = "forbidden",',
    '    justification = "no (never)",',
    ')',
    '',
  ].join('\n'),
  '.gemini/settings.json': JSON.stringify({
    theme: 'dark',
    tools: { allowed: ['run_shell_command(npm test)'], exclude: ['web_fetch'] },
    mcpServers: { maps: { httpUrl: 'https://maps.test/mcp', headers: { a: 'b' } } },
  }),
  '.gemini/policies/a.toml':
    '[[rule]]\ntoolName = "run_shell_command"\ncommandPrefix = ["cargo test"]\ndecision = "ask_user"\npriority = 100\n',
  '.config/opencode/opencode.json':
    '{ // mine\n"theme": "x",\n"permission": { "edit": "ask",\n"bash": { "*": "ask",\n"ls *": "allow" }, "doom_loop": "ask" },\n"mcp": { "local": { "type": "local", "command": ["oc", "serve"], "environment": { "A": "1" } } },\n}',
  '.claude/settings.json': JSON.stringify({ permissions: { allow: ['Bash(make *)'] }, language: 'de' }),
  '.attractor/config.json': JSON.stringify({ model: 'mine' }),
};

const CLINE = { CLINE_COMMAND_PERMISSIONS: '{"allow":["pwd"],"deny":["sudo *"],"allowRedirects":true}' };

function load(
  user: Readonly<Record<string, string>>,
  more: { readonly folder?: string; readonly env?: Readonly<Record<string, string>> } = {},
): LoadedSettings {
  const userHome = makeFolder(user);
  const folder = more.folder ?? makeFolder({ '.git/HEAD': '' });
  return loadSettings({
    home: path.join(userHome, '.attractor'),
    userHome,
    folder,
    env: more.env ?? {},
    managedFolder: path.join(userHome, 'none'),
  });
}

describe('settings of Claude Code, Codex, Gemini, opencode and Cline side by side', () => {
  it('give their permission rules and MCP servers, each with its origin', () => {
    const loaded = load(USER, { env: CLINE });
    expect(loaded.problems).toEqual([]);
    const { rules, mcpServers, mode, asks, sandbox } = sessionSettings(loaded);
    expect(rules.map(({ text, behavior }) => `${behavior} ${text}`).toSorted()).toEqual([
      'allow Bash(git log *)',
      'allow Bash(git status *)',
      'allow Bash(ls *)',
      'allow Bash(make *)',
      'allow Bash(npm test *)',
      'allow Bash(pwd)',
      'ask Bash(cargo test *)',
      'ask Edit',
      'deny Bash(rm -rf *)',
      'deny Bash(sudo *)',
      'deny WebFetch',
    ]);
    expect(rules.find(({ text }) => text === 'Bash(rm -rf *)')?.origin).toMatchObject({ line: 3, scope: 'user' });
    expect(
      [...mcpServers]
        .map(([name, { value }]) => [name, value])
        .toSorted((a, b) => (String(a[0]) < String(b[0]) ? -1 : 1)),
    ).toEqual([
      ['docs', { command: 'docs-server', args: ['--stdio'] }],
      ['local', { type: 'local', command: ['oc', 'serve'], environment: { A: '1' } }],
      ['maps', { httpUrl: 'https://maps.test/mcp', headers: { a: 'b' } }],
    ]);
    expect(mode).toMatchObject({ value: 'dontAsk', origin: { agent: 'codex', line: 2 } });
    expect(asks.written.map(({ model, maker }) => [model, maker])).toEqual([
      ['mine', undefined],
      ['gpt-5', 'openai'],
    ]);
    expect(sandbox.get('enabled')).toMatchObject([{ value: true }]);
  });

  it('leave the fields of a server as they are written to who starts it, those that keep tools away too', () => {
    const loaded = load({
      '.codex/config.toml': [
        '[mcp_servers.docs]',
        'url = "https://docs.test/"',
        'bearer_token_env_var = "DOCS"',
        'http_headers = { A = "b" }',
        'enabled_tools = ["find"]',
        'disabled_tools = ["drop"]',
        '',
      ].join('\n'),
      '.gemini/settings.json': JSON.stringify({
        mcpServers: { maps: { command: 'm', includeTools: ['a'], excludeTools: ['b'] } },
      }),
    });
    const { mcpServers } = sessionSettings(loaded);
    expect(mcpServers.get('docs')?.value).toEqual({
      url: 'https://docs.test/',
      bearer_token_env_var: 'DOCS',
      http_headers: { A: 'b' },
      enabled_tools: ['find'],
      disabled_tools: ['drop'],
    });
    expect(mcpServers.get('maps')?.value).toEqual({ command: 'm', includeTools: ['a'], excludeTools: ['b'] });
  });

  it('list what does not map, by agent, file and line', () => {
    const loaded = load(USER, { env: CLINE });
    const listed = loaded.unmapped.map(
      ({ name, origin }) => `${origin.agent} ${name} ${path.basename(describeOrigin(origin))}`,
    );
    expect(listed.toSorted()).toEqual([
      'claude-code language settings.json:1',
      'cline CLINE_COMMAND_PERMISSIONS.allowRedirects CLINE_COMMAND_PERMISSIONS',
      'codex mcp_servers.off config.toml:10',
      'codex sandbox_workspace_write.network_access config.toml:4',
      'gemini theme settings.json:1',
      'opencode permission.bash.* opencode.json:4',
      'opencode permission.doom_loop opencode.json:5',
      'opencode theme opencode.json:2',
    ]);
  });

  it('keep tools away that opencode switches off, those of servers by every way to read their names', () => {
    const tools = '{ // mine\n"tools": { "write": false, "bash": true, "my_db_*": false, "list": false } }';
    for (const name of ['.config/opencode/opencode.jsonc', '.config/opencode/opencode.json']) {
      const { rules } = sessionSettings(load({ [name]: tools }));
      expect(rules.map(({ behavior, text }) => `${behavior} ${text}`)).toEqual([
        'deny Write',
        'deny mcp__my__db_*',
        'deny mcp__my_db__*',
        'deny mcp__my_db_*',
        'deny LS',
      ]);
    }
    const folder = makeFolder({ '.git/HEAD': '', '.opencode/opencode.jsonc': tools });
    expect(sessionSettings(load({}, { folder })).rules).toHaveLength(5);
    expect(load({ '.config/opencode/opencode.json': '{"tools":{"x":"no"}}' }).refusals).toHaveLength(1);
  });

  it.each([
    ['"allow"', [], ['permission']],
    ['[]', [], ['permission']],
    ['"deny"', ['deny Bash', 'deny Read', 'deny mcp__*'], []],
    ['{"*":"ask","bash":"allow"}', ['ask Read', 'ask mcp__*', 'allow Bash'], []],
    [
      '{"bash":{"*":"deny","git *":"allow","ls":"ask"}}',
      ['deny Bash(!git * | ls)', 'allow Bash(git *)', 'ask Bash(ls)'],
      [],
    ],
    ['{"bash":{"*":"ask","git *":"allow"}}', ['allow Bash(git *)'], ['permission.bash.*']],
    ['{"bash":{"git *":"allow","*":"deny"}}', ['deny Bash'], ['permission.bash.git *']],
    [
      '{"read":{"*":"allow","*.env":"deny","*.env.example":"allow"}}',
      ['allow Read', 'deny Read(*.env)', 'allow Read(*.env.example)'],
      [],
    ],
    ['{"edit":{"src/*.gen.ts":"deny"}}', ['deny Edit(src/*.gen.ts)', 'deny Edit(src/*/**/*.gen.ts)'], []],
    ['{"edit":{"*":"deny","docs/*.md":"allow"}}', ['deny Edit'], ['permission.edit.docs/*.md']],
    [
      '{"edit":{"~/x/*":"deny","/etc/a":"ask","R.md":"allow"}}',
      ['deny Edit(~/x/**)', 'ask Edit(//etc/a)', 'allow Edit(./R.md)'],
      [],
    ],
    ['{"skill":{"in-*":"deny"},"task":{"*":"deny"}}', ['deny Skill(in-*)', 'deny Task'], []],
    [
      '{"webfetch":{"https://a.test/*":"allow","http://*":"deny"}}',
      ['allow WebFetch(domain:a.test)', 'deny WebFetch(url:http://*)'],
      [],
    ],
    ['{"list":"deny","question":"deny","db_*":"deny"}', ['deny LS', 'deny AskUserQuestion', 'deny mcp__db__*'], []],
    ['{"external_directory":"deny","doom_loop":"deny","lsp":"deny"}', [], ['external_directory', 'doom_loop', 'lsp']],
  ])('what opencode is permitted holds, and what it may not: %s', (permission, expected, unmapped) => {
    const loaded = load({ '.config/opencode/opencode.json': `{"permission":${permission}}` });
    expect(loaded.refusals).toEqual([]);
    const rules = sessionSettings(loaded).rules.map(({ behavior, text }) => `${behavior} ${text}`);
    expect(rules).toEqual(expect.arrayContaining(expected));
    expect(loaded.unmapped.map(({ name }) => name)).toEqual(
      unmapped.map((name) => (name.startsWith('permission') ? name : `permission.${name}`)),
    );
  });

  it('what opencode says of its own agent `build` holds for the session', () => {
    const agent =
      '{"agent":{"build":{"tools":{"bash":false},"color":"x"},"docs":{}},"mode":{"build":{"permission":{"edit":"deny"}}}}';
    const loaded = load({ '.config/opencode/opencode.json': agent });
    expect(sessionSettings(loaded).rules.map(({ behavior, text }) => `${behavior} ${text}`)).toEqual([
      'deny Bash',
      'deny Edit',
    ]);
    expect(loaded.unmapped.map(({ name }) => name)).toEqual(['agent.build.color', 'agent.docs']);
  });

  it.each([
    ['.codex/config.toml', 'model = "x"\napproval_policy = = "never"\n', 'config.toml:2: not valid TOML'],
    ['.codex/config.toml', 'approval_policy = "sometimes"\n', 'config.toml:1: "approval_policy" must be one of'],
    [
      '.codex/config.toml',
      'model = "x"\nprofile = "gone"\n',
      'config.toml:2: "profile" names gone, which is not among',
    ],
    ['.codex/rules/a.rules', '\nfor x in y:\n', 'a.rules:2: expected only prefix_rule'],
    [
      '.codex/rules/a.rules',
      'prefix_rule(pattern=["rm *"], decision="forbidden")\n',
      'a.rules:1: a word of this pattern',
    ],
    ['.codex/rules/a.rules', 'prefix_rule(pattern=f(), decision="forbidden")\n', 'a.rules:1: expected'],
    [
      '.gemini/settings.json',
      '{ "tools": {\n"exclude": ["unheard_of(x)"] } }',
      'settings.json:2: "unheard_of(x)" is not a tool',
    ],
    [
      '.config/opencode/opencode.json',
      '{ "permission": { "bash": "maybe" } }',
      'opencode.json:1: "permission.bash" must be',
    ],
    [
      '.config/opencode/opencode.json',
      '{ "permission": { "grep": {\n"secret*": "deny" } } }',
      'opencode.json:2: "permission.grep.secret*" does not map',
    ],
    ['.config/opencode/opencode.json', '\n[]', 'opencode.json:2: expected a JSON object'],
    ['.gemini/settings.json', '"tools"', 'settings.json:1: expected a JSON object'],
    ['.gemini/settings.json', '{"general":{"defaultApprovalMode":"x"}}', '"general.defaultApprovalMode" must be'],
    ['.gemini/policies/a.toml', 'rule = ["x"]', '"rule" must be a table'],
  ])('%s with %j fails closed', (file, text, expected) => {
    const loaded = load({ [file]: text });
    expect(loaded.refusals.map(describeProblem)).toEqual([expect.stringContaining(expected)]);
  });

  it('limits of the profile that codex is told to use hold, before those of the whole file', () => {
    const loaded = load({
      '.codex/config.toml': [
        'profile = "strict"',
        'approval_policy = "never"',
        'model = "gpt-5"',
        '[profiles.strict]',
        'approval_policy = "untrusted"',
        'model = "gpt-6"',
        'personality = "dry"',
        '[profiles.loose]',
        'approval_policy = "never"',
        '',
      ].join('\n'),
    });
    const { mode } = sessionSettings(loaded);
    expect(mode).toMatchObject({ value: 'default', origin: { agent: 'codex', line: 4 } });
    expect(loaded.settings.find(({ row }) => row.name === 'model')?.entries.map(({ value }) => value)).toEqual([
      'gpt-6',
    ]);
    expect(loaded.unmapped.map(({ name }) => name)).toEqual(['profiles.strict.personality', 'profiles']);
  });

  it("codex's profiles of permissions, switched-off tools and hooks count; what can't be held to stops the start", () => {
    const text = [
      'web_search = "disabled"',
      'default_permissions = "mine"',
      'tools = { view_image = false, web_search = true }',
      '[permissions.mine]',
      'extends = ":read-only"',
      '[permissions.mine.filesystem]',
      '":minimal" = "read"',
      '"/secret" = "none"',
      '[permissions.mine.filesystem.":project_roots"]',
      '"." = "write"',
      '"docs" = "read"',
      '"src" = "write"',
      '[permissions.mine.network]',
      'enabled = true',
      '[[hooks.Stop]]',
      'hooks = [{ type = "command", command = "a" }]',
      '',
    ].join('\n');
    const hooks =
      '{"description":"x","hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"b"}]}]}}';
    const loaded = load({ '.codex/config.toml': text, '.codex/hooks.json': hooks });
    const session = sessionSettings(loaded);
    expect(loaded.refusals).toEqual([]);
    expect(session.rules.map(({ behavior, text: rule }) => `${behavior} ${rule}`)).toEqual([
      'deny WebSearch',
      'deny Read(//secret)',
      'deny Edit(docs)',
      'deny view_image',
    ]);
    expect(session.mode.value).toBe('plan');
    expect(session.hooks.map(({ event }) => event)).toEqual(['Stop', 'PreToolUse']);
    expect(loaded.unmapped.map(({ name }) => name)).toEqual([
      'permissions.mine.filesystem.src',
      'permissions.mine.network',
      'tools.web_search',
    ]);
    const wrong: ReadonlyArray<readonly [file: string, text: string]> = [
      ['config.toml', 'default_permissions = "gone"'],
      ['config.toml', 'sandbox_mode = "closed"'],
      ['config.toml', 'hooks = { Stop = 1 }'],
      ['config.toml', 'shell_environment_policy = { inherit = "some" }'],
      ['hooks.json', '{"hooks":[]}'],
    ];
    for (const [file, one] of wrong) expect([one, load({ [`.codex/${file}`]: one }).refusals.length]).toEqual([one, 1]);
  });

  it("limits in Gemini's settings hold: tools of servers, servers, and everything at once", () => {
    const written = {
      tools: { exclude: ['save_memory', 'db__drop', 'write_file'] },
      mcp: { allowed: ['maps'], excluded: ['mail'], serverCommand: 'x' },
      mcpServers: { maps: { command: 'm' }, web: { command: 'w' } },
      security: { disableYoloMode: true },
    };
    const loaded = load({ '.gemini/settings.json': JSON.stringify(written) });
    const { rules, isBypassDisabled } = sessionSettings(loaded);
    expect(rules.map(({ behavior, text }) => `${behavior} ${text}`)).toEqual([
      'deny mcp__*__save_memory',
      'deny mcp__db__drop',
      'deny Write',
    ]);
    expect([isBypassDisabled, loaded.refusals]).toEqual([true, []]);
    const off = loaded.settings.find(({ row }) => row.name === 'disabledMcpjsonServers')?.entries ?? [];
    expect(off.map(({ value }) => value)).toEqual(['web', 'mail']);
    expect(loaded.unmapped.map(({ name }) => name)).toEqual(['mcp.serverCommand']);
  });

  it('rules of Gemini about servers hold, a rule alone as well as one of many, and its mode to begin in', () => {
    const one = '[rule]\ntoolName = "web_fetch"\ndecision = "deny"\n';
    const rules = ['mcpName = "s"\ntoolName = "t"', 'mcpName = "q"', 'toolName = "save*"'].map(
      (what) => `[[rule]]\n${what}\ndecision = "deny"\n`,
    );
    const settings = {
      general: { defaultApprovalMode: 'plan', vimMode: true },
      admin: { secureModeEnabled: true },
      skills: { disabled: ['deploy'] },
      hooks: {
        BeforeTool: [
          {
            hooks: [
              { name: 'a', type: 'command', command: 'x' },
              { type: 'command', command: 'y' },
            ],
          },
        ],
      },
      hooksConfig: { disabled: ['a'] },
    };
    const loaded = load({
      '.gemini/policies/a.toml': one,
      '.gemini/policies/b.toml': rules.join(''),
      '.gemini/settings.json': JSON.stringify(settings),
    });
    const session = sessionSettings(loaded);
    expect(session.rules.map(({ text }) => text)).toEqual(['WebFetch', 'mcp__s__t', 'mcp__q', 'Skill(deploy)']);
    expect([session.mode.value, session.isBypassDisabled]).toEqual(['plan', true]);
    expect(session.hooks.map(({ value }) => value)).toEqual([{ hooks: [{ type: 'command', command: 'y' }] }]);
    expect(loaded.unmapped.map(({ name }) => name)).toEqual(['general.vimMode']);
    expect(loaded.problems).toMatchObject([{ onlyFor: 'gemini', message: expect.stringContaining('"save*"') }]);
    const off = { ...settings, hooksConfig: { enabled: false } };
    expect(sessionSettings(load({ '.gemini/settings.json': JSON.stringify(off) })).hooks).toEqual([]);
  });

  it('a rule of Gemini in its own terms stops no other model, and is told', () => {
    const text = '[[rule]]\ntoolName = "run_shell_command"\ncommandRegex = "^rm"\ndecision = "deny"\n';
    const { refusals, problems } = load({ '.gemini/policies/a.toml': text });
    expect(refusals).toEqual([]);
    expect(problems).toMatchObject([{ failsClosed: true, onlyFor: 'gemini', origin: { line: 1 } }]);
    expect(problems.map(describeProblem)).toEqual([expect.stringContaining('with "commandRegex" does not map')]);
  });

  it('of a repository count only after trust, except where they forbid', async () => {
    const files = Object.fromEntries(Object.entries(USER).filter(([name]) => /^\.(?:codex|gemini)/.test(name)));
    const folder = makeFolder({ '.git/HEAD': '', ...files, 'opencode.json': '{ "permission": { "bash": "allow" } }' });
    const before = load({}, { folder });
    expect(sessionSettings(before).mode.value).toBe('default');
    expect(sessionSettings(before).rules.map(({ behavior, text }) => `${behavior} ${text}`)).toEqual([
      'deny WebFetch',
      'deny Bash(rm -rf *)',
      'ask Bash(cargo test *)',
    ]);
    expect(before.ignored.length).toBeGreaterThan(6);
    const userHome = makeFolder();
    const home = path.join(userHome, '.attractor');
    await trustRepository(examineTrust(folder, { home }), { home });
    const after = loadSettings({ home, userHome, folder, env: {}, managedFolder: home });
    expect(sessionSettings(after).rules.map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Bash', 'Bash(rm -rf *)', 'Bash(cargo test *)']),
    );
    expect(sessionSettings(after).sandbox.has('enabled')).toBe(false);
  });

  it.each([
    ['tools', { core: ['read_file', 'ReadManyFilesTool', 'glob', 'LSTool'] }],
    ['coreTools', ['ReadFileTool', 'GlobTool', 'list_directory']],
  ])('tools that Gemini is to have alone are the only ones: %s', (key, list) => {
    const { rules } = sessionSettings(load({ '.gemini/settings.json': JSON.stringify({ [key]: list }) }));
    expect(rules.map(({ text, behavior }) => `${behavior} ${text}`)).toEqual(
      ['Bash', 'Write', 'Edit', 'Grep', 'WebFetch', 'WebSearch', 'TodoWrite'].map((tool) => `deny ${tool}`),
    );
  });

  it('commands that Gemini is to have alone are the only ones; a tool that is not here is told', () => {
    const core = ['ShellTool(git status)', 'run_shell_command(ls)', 'WriteFileTool', 'MemoryTool', 'ShellTool(a; b)'];
    const loaded = load({ '.gemini/settings.json': JSON.stringify({ tools: { core, exclude: ['WebFetchTool'] } }) });
    const { rules } = sessionSettings(loaded);
    expect(rules.map(({ text, behavior }) => `${behavior} ${text}`).toSorted()).toEqual([
      'deny Bash(!git status * | ls *)',
      ...['Glob', 'Grep', 'LS', 'TodoWrite', 'WebFetch', 'WebFetch', 'WebSearch'].map((tool) => `deny ${tool}`),
    ]);
    expect(loaded.unmapped.map(({ name, reason }) => `${name}: ${reason}`)).toEqual([
      'tools.core: MemoryTool: there is no such tool here',
      "tools.core: without Read: Write can't work without it",
      "tools.core: without Edit: Write can't work without it",
      'tools.core: ShellTool(a; b): it is more than the first words of a command',
    ]);
  });
});
