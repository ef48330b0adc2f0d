import path from 'node:path';
import { parseScript, startSimulator } from '@attractor/simulator';
import { describe, expect, onTestFinished, test } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { type Ended, makeFolder } from './attractor.ts';
import { CLINE, makeFiveAgents, writeOne } from './five-agents.ts';

const attractor = mostlyHere(['config', 'import', '-p']);

type Fields = Readonly<Record<string, unknown>>;
type Origin = { readonly scope: string; readonly agent: string; readonly file?: string; readonly line?: number };
type Line = Fields & {
  readonly type: string;
  readonly kind?: string;
  readonly name?: string;
  readonly origin?: Origin;
};

function linesOf({ stdout }: Ended): ReadonlyArray<Line> {
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function show(world: { readonly home: string; readonly repository: string }, trusted: boolean) {
  const options = { home: world.home, cwd: world.repository, env: CLINE };
  if (trusted) await attractor(['trust', 'grant', '--yes'], options);
  const ended = await attractor(['config', 'show', '--json'], options);
  const short = (file = ''): string => file.replace(world.home, '~').replace(`${world.repository}/`, '');
  const lines = linesOf(ended);
  const where = ({ agent, file, line }: Origin): string =>
    [agent, ...(file === undefined ? [] : [short(file)]), ...(line === undefined ? [] : [line])].join(' ');
  const from = (name: string): ReadonlyArray<string> =>
    lines
      .filter((line) => line.type === 'setting' && line.name === name)
      .flatMap(
        (line) =>
          line['from'] as ReadonlyArray<{ readonly key?: string; readonly value: unknown; readonly origin: Origin }>,
      )
      .map(({ key, value, origin }) => `${key ?? String(value)} ← ${where(origin)}`);
  return { ended, lines, where, short, from };
}

describe('a person who used five agents, in a repository that was worked on with all of them', () => {
  test('config show lists every value with its file and line, of each agent', async () => {
    const { from, ended } = await show(makeFiveAgents(), true);
    expect(ended.code).toBe(0);
    expect(from('permissions.allow')).toEqual([
      'Bash(make *) ← cline',
      'Bash(npm run *) ← gemini ~/.gemini/policies/mine.toml 1',
      'Bash(git diff *) ← opencode ~/.config/opencode/opencode.json 4',
      'Bash(git status *) ← gemini ~/.gemini/settings.json 3',
      'Bash(npm test) ← claude-code ~/.claude/settings.json 4',
    ]);
    expect(from('permissions.ask')).toEqual([
      'Bash(git push *) ← codex ~/.codex/rules/default.rules 2',
      'Bash(git fetch *) ← codex ~/.codex/rules/default.rules 2',
      'Edit ← opencode ~/.config/opencode/opencode.json 4',
      'Bash(git push *) ← claude-code .claude/settings.json 1',
    ]);
    expect(from('permissions.deny')).toEqual([
      'Bash(sudo *) ← cline',
      'Bash(rm -rf *) ← codex ~/.codex/rules/default.rules 6',
      'Bash(terraform *) ← opencode ~/.config/opencode/opencode.json 4',
      'WebSearch ← gemini ~/.gemini/settings.json 3',
      'Read(~/.ssh/**) ← claude-code ~/.claude/settings.json 4',
      'WebFetch ← opencode opencode.jsonc 3',
      'Bash(curl *) ← gemini .gemini/settings.json 1',
    ]);
    expect(from('mcpServers')).toEqual([
      'local ← opencode ~/.config/opencode/opencode.json 5',
      'issues ← gemini ~/.gemini/settings.json 5',
      'docs ← codex ~/.codex/config.toml 6',
    ]);
    expect(from('model')).toEqual(['claude-sonnet-4-5 ← claude-code ~/.claude/settings.json 2']);
  });

  test('and every document, skill, command, agent, style and plugin, and what does not map', async () => {
    const { lines, where } = await show(makeFiveAgents(), true);
    const files = lines.filter(({ type }) => type === 'file');
    expect(files.map((line) => `${line.kind} ${line.name} ← ${line.origin?.agent} ${line.origin?.scope}`)).toEqual([
      'document CLAUDE.md ← claude-code user',
      'document style.md ← agents user',
      'document GEMINI.md ← gemini user',
      'document AGENTS.md ← codex user',
      'document AGENTS.md ← agents project',
      'document CLAUDE.md ← claude-code project',
      'document rules.md ← agents project',
      'document api.md ← claude-code project',
      'document GEMINI.md ← gemini project',
      'plugin lint ← claude-code project',
      'skill release ← claude-code user',
      'skill migrate ← claude-code project',
      'command /explain ← codex user',
      'command /git:commit ← gemini user',
      'command /deploy:check ← claude-code project',
      'command /test ← opencode project',
      'command /review ← cline project',
      'command /lint:fix ← claude-code project',
      'agent reviewer ← claude-code user',
      'agent planner ← opencode user',
      'output style Terse ← claude-code user',
    ]);
    const unmapped = lines.filter(({ type }) => type === 'unmapped');
    expect(unmapped.map((line) => `${line.name} ← ${line.origin === undefined ? '' : where(line.origin)}`)).toEqual([
      '$schema ← opencode ~/.config/opencode/opencode.json 2',
      'theme ← opencode ~/.config/opencode/opencode.json 3',
      'theme ← gemini ~/.gemini/settings.json 4',
      'notify ← codex ~/.codex/config.toml 4',
      'enabledPlugins ← claude-code ~/.claude/settings.json 6',
      'model_reasoning_effort ← codex .codex/config.toml 1',
      'includeCoAuthoredBy ← claude-code .claude/settings.json 1',
      'model ← claude-code ~/.claude/skills/release/SKILL.md 5',
      'agent ← opencode .opencode/command/test.md 3',
    ]);
    for (const line of unmapped) expect(String(line['reason'])).not.toBe('');
    expect(lines.filter(({ type }) => type === 'problem')).toEqual([]);
  });

  test('before it is trusted only what the repository forbids and its documents count, and all of it is told', async () => {
    const { lines, from } = await show(makeFiveAgents(), false);
    const ofProject = lines.filter(({ origin }) => origin?.scope === 'project');
    expect(new Set(ofProject.map((line) => `${line.type} ${line.kind ?? ''}`.trim()))).toEqual(
      new Set(['file document', 'unmapped']),
    );
    expect(from('permissions.ask')).toContain('Bash(git push *) ← claude-code .claude/settings.json 1');
    expect(from('permissions.deny')).toContain('Bash(curl *) ← gemini .gemini/settings.json 1');
    expect(lines.at(-1)).toMatchObject({
      type: 'trust',
      state: 'unknown',
      notice: expect.stringContaining('10 files'),
    });
  });
});

type Row = readonly [what: string, file: string, text: string, expected: string, isLimit: boolean];

/** One mistake a file, so that all can lie in one home. */
const MISTAKES: ReadonlyArray<Row> = [
  [
    'an unknown key',
    '.attractor/a.json',
    '{\n  "modle": "x"\n}',
    '.attractor/a.json:2: unknown key "modle": did you mean "model"?',
    false,
  ],
  ['a wrong type', '.attractor/b.json', '{\n  "model": 7\n}', '.attractor/b.json:2: "model" must be ', false],
  [
    'a limit of a wrong type',
    '.attractor/c.json',
    '{ "permissions":\n { "deny": "Bash" } }',
    '.attractor/c.json:2: "permissions.deny" must be ',
    true,
  ],
  [
    'files that extend each other',
    '.attractor/d.json',
    '{\n\n "extends": "config.json"\n}',
    '.attractor/d.json:3: "extends" leads in a circle',
    true,
  ],
  [
    'a limit by a wrong name',
    '.claude/settings.json',
    '{\n "permissions": { "dney": [] } }',
    '.claude/settings.json:2: unknown key "permissions.dney": did you mean "permissions.deny"?',
    true,
  ],
  ['no file', '.codex/config.toml/x', '', ".codex/config.toml: can't be read", true],
  ['no TOML', '.gemini/policies/a.toml', '[[rule]]\nb = \n', '.gemini/policies/a.toml:2: not valid TOML', true],
  [
    'an unknown decision',
    '.gemini/policies/b.toml',
    '\n\n[[rule]]\ntoolName = "glob"\ndecision = "maybe"\n',
    '.gemini/policies/b.toml:3: "decision" must be allow, ask_user or deny',
    true,
  ],
  [
    'rules that are a program',
    '.codex/rules/a.rules',
    '\nfor x in y: pass\n',
    '.codex/rules/a.rules:2: expected only prefix_rule',
    true,
  ],
  [
    'a rule that can not be read',
    '.codex/rules/b.rules',
    'prefix_rule(pattern=["rm"], decision=FORBIDDEN)\n',
    '.codex/rules/b.rules:1: expected a text in quotes',
    true,
  ],
  [
    'an unknown tool that is denied',
    '.gemini/settings.json',
    '{ "tools": {\n "exclude": ["fly(x)"] } }',
    '.gemini/settings.json:2: "fly(x)" is not a tool',
    true,
  ],
  ['no JSON', '.config/opencode/opencode.json', '{\n "permission": \n}', '.config/opencode/opencode.json:3: ', true],
  [
    'documents that import each other',
    '.claude/CLAUDE.md',
    'x\n@./CLAUDE.md',
    '.claude/CLAUDE.md:2: imports in a circle',
    false,
  ],
  [
    'an agent without its limits',
    '.claude/agents/a.md',
    '---\ndescription: x\ntools: 7\n---\nx',
    '.claude/agents/a.md:3: "tools" must be tools such as',
    false,
  ],
  [
    'a skill with a wrong name',
    '.claude/skills/a/SKILL.md',
    '---\nname: A B\ndescription: x\n---\nx',
    '.claude/skills/a/SKILL.md:2: "name" must be',
    false,
  ],
  [
    'a command that is not TOML',
    '.gemini/commands/a.toml',
    'prompt = "a',
    '.gemini/commands/a.toml:1: not valid TOML',
    false,
  ],
];

describe('bad configuration', () => {
  test('is told in one line each: file, line, what is expected; and whether it stops the start', async () => {
    const home = makeFolder();
    writeOne(home, '.attractor/config.json', '{ "extends": ["a.json", "b.json", "c.json", "d.json"] }');
    for (const [, file, text] of MISTAKES) writeOne(home, file, text);
    const ended = await attractor(['config', 'show', '--json'], { home, cwd: makeFolder() });
    expect(ended.code).toBe(4);
    const problems = linesOf(ended).filter(({ type }) => type === 'problem');
    const told = problems.map((line) => ({ ...line, message: String(line['message']).replaceAll(`${home}/`, '') }));
    for (const [what, , , expected, isLimit] of MISTAKES) {
      const found = told.filter(({ message }) => message.includes(expected));
      expect(found, what).toMatchObject([{ failsClosed: isLimit }]);
      expect(found[0]?.message).not.toContain('\n');
    }
    expect(told).toHaveLength(MISTAKES.length);
  });

  test('that may be a limit keeps every agent from starting', async () => {
    const home = makeFolder();
    writeOne(home, '.codex/rules/a.rules', 'prefix_rule(pattern=["rm"], decision=FORBIDDEN)\n');
    const env = { ANTHROPIC_API_KEY: 'none' };
    const ended = await attractor(['-p', 'hello', '--allow-unsandboxed'], { home, env, cwd: makeFolder() });
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr).toContain(`${home}/.codex/rules/a.rules:1: expected`);
  });
});

type Turns = ReadonlyArray<unknown>;
const MODELS = { anthropic: 'claude-sonnet-4-5-20250929', openai: 'gpt-5', gemini: 'gemini-2.5-pro' } as const;

async function simulate(turns: Turns, provider: keyof typeof MODELS = 'anthropic') {
  const parsed = parseScript({ turns });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const model = ['--provider', provider, '--model', MODELS[provider], '--base-url', simulator.baseUrls[provider]];
  const env = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none', GEMINI_API_KEY: 'none' };
  return {
    bodies: () => simulator.requests().map(({ body }) => JSON.stringify(body)),
    ask: (flags: ReadonlyArray<string>, place: { readonly home: string; readonly cwd: string }) =>
      attractor([...model, '--allow-unsandboxed', ...flags], { ...place, env }),
  };
}

/** Servers of the fixture are not there. */
const NO_SERVERS = {
  '.codex/config.toml': '',
  '.gemini/settings.json': '{}',
  '.config/opencode/opencode.json': '{}',
};

describe('attractor -p with the files of five agents', () => {
  test('knows documents, style, skills, commands and agents, and uses them', async () => {
    const { home, repository } = makeFiveAgents({ home: NO_SERVERS });
    await attractor(['trust', 'grant', '--yes'], { home, cwd: repository });
    const world = await simulate([
      { toolCalls: [{ name: 'Skill', args: { skill: 'release', args: 'v2' } }] },
      {
        expect: { toolResult: 'then tag v2.' },
        toolCalls: [{ name: 'SlashCommand', args: { command: '/git:commit all' } }],
      },
      { expect: { toolResult: 'Write a message for all.' }, toolCalls: [{ use: 'read', path: 'src/api/users.ts' }] },
      { expect: { toolResult: 'Validate every input.' }, text: 'Done.' },
    ]);
    const ended = await world.ask(['-p', '/deploy:check one two', '--output-format', 'stream-json'], {
      home,
      cwd: repository,
    });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const lines = linesOf(ended);
    expect(lines.find(({ subtype }) => subtype === 'init')).toMatchObject({
      skills: ['release', 'migrate'],
      slash_commands: expect.arrayContaining(['explain', 'git:commit', 'deploy:check', 'test', 'review', 'lint:fix']),
      agents: expect.arrayContaining(['reviewer', 'planner', 'explore']),
      plugins: [{ name: 'lint' }],
      output_style: 'Terse',
      tools: expect.arrayContaining(['Skill', 'SlashCommand', 'Task']),
    });
    const [first = ''] = world.bodies();
    for (const words of [
      'Check one of two.',
      'I like short answers.',
      'Tabs, never spaces.',
      'Run the tests.',
      'No default exports.',
      'Answer in five words.',
      '- release: Makes a release.',
      '/deploy:check: Checks a deployment.',
    ])
      expect(first).toContain(words);
    for (const words of [
      'nobody sees this',
      'From Gemini.',
      'From Codex.',
      'Validate every input.',
      'Write migrations.',
    ])
      expect(first).not.toContain(words);
  });

  test('knows nothing of a repository that is not trusted but its documents', async () => {
    const { home, repository } = makeFiveAgents({ home: NO_SERVERS });
    const world = await simulate([{ text: 'Done.' }]);
    await world.ask(['-p', '/deploy:check one two'], { home, cwd: repository });
    const [first = ''] = world.bodies();
    expect(first).toContain('Run the tests.');
    expect(first).toContain('/deploy:check one two');
    expect(first).not.toContain('Check one of two.');
    expect(first).not.toContain('migrate');
  });
});

const AT = '2026-03-01T10:00:00.000Z';
const SESSIONS: Readonly<Record<string, { readonly file: string; readonly lines: ReadonlyArray<object> }>> = {
  claude: {
    file: '.claude/projects/-code/1.jsonl',
    lines: [
      {
        uuid: '1',
        parentUuid: null,
        type: 'user',
        cwd: '/code',
        timestamp: AT,
        message: { role: 'user', content: 'The word is plum.' },
      },
      {
        uuid: '2',
        parentUuid: '1',
        type: 'assistant',
        timestamp: AT,
        message: {
          id: 'm',
          model: 'claude-opus-4-1',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 'c2ln' },
            { type: 'text', text: 'Looking.' },
          ],
        },
      },
      {
        uuid: '3',
        parentUuid: '2',
        type: 'assistant',
        timestamp: AT,
        message: {
          id: 'm',
          model: 'claude-opus-4-1',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } }],
        },
      },
      {
        uuid: '4',
        parentUuid: '3',
        type: 'user',
        timestamp: AT,
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a.txt' }] },
      },
      {
        uuid: '5',
        parentUuid: '4',
        type: 'assistant',
        timestamp: AT,
        message: {
          id: 'n',
          model: 'claude-opus-4-1',
          content: [{ type: 'tool_use', id: 'toolu_2', name: 'Bash', input: {} }],
        },
      },
    ],
  },
  codex: {
    file: '.codex/sessions/2026/03/01/rollout-1.jsonl',
    lines: [
      { timestamp: AT, type: 'session_meta', payload: { cwd: '/code' } },
      { timestamp: AT, type: 'turn_context', payload: { model: 'gpt-5' } },
      {
        timestamp: AT,
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'The word is plum.' }] },
      },
      { timestamp: AT, type: 'response_item', payload: { type: 'reasoning', summary: [], encrypted_content: 'gAAA' } },
      {
        timestamp: AT,
        type: 'response_item',
        payload: { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'call_1' },
      },
      {
        timestamp: AT,
        type: 'response_item',
        payload: { type: 'function_call_output', call_id: 'call_1', output: 'a.txt' },
      },
      {
        timestamp: AT,
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One file.' }] },
      },
    ],
  },
  gemini: {
    file: '.gemini/tmp/abc/chats/session-1.jsonl',
    lines: [
      { sessionId: 's', projectHash: 'h', startTime: AT },
      { id: '1', timestamp: AT, type: 'user', content: [{ text: 'The word is plum.' }] },
      {
        id: '2',
        timestamp: AT,
        type: 'gemini',
        content: '',
        model: 'gemini-3-pro',
        toolCalls: [
          {
            id: 'c 1',
            name: 'read_file',
            args: {},
            status: 'success',
            result: [{ functionResponse: { response: { output: 'a.txt' } } }],
          },
        ],
      },
      { id: '3', timestamp: AT, type: 'gemini', content: 'One file.', model: 'gemini-3-pro' },
    ],
  },
};

describe('sessions of other agents', () => {
  const write = (home: string, from: string): string => {
    const { file = '', lines = [] } = SESSIONS[from] ?? {};
    writeOne(home, file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return path.join(home, file);
  };

  test.each([
    ['claude', 'anthropic'],
    ['claude', 'openai'],
    ['codex', 'openai'],
    ['codex', 'gemini'],
    ['gemini', 'gemini'],
    ['gemini', 'anthropic'],
  ] as const)('one of %s goes on with a model of %s, in a request that it accepts', async (from, provider) => {
    const home = makeFolder();
    const imported = await attractor(['sessions', 'import', '--from', from, write(home, from)], { home });
    expect(imported.code).toBe(0);
    const world = await simulate([{ text: 'Plum.' }, { text: 'Plum.' }, { text: 'Plum.' }], provider);
    const flags = ['-p', 'What was the word?', '--resume', imported.stdout.trim()];
    expect(await world.ask(flags, { home, cwd: home })).toMatchObject({ code: 0, stdout: 'Plum.\n' });
    const [body = ''] = world.bodies();
    for (const words of ['The word is plum.', 'a.txt', 'What was the word?']) expect(body).toContain(words);
  });

  test('that are there to be taken are listed', async () => {
    const home = makeFolder();
    const files = Object.keys(SESSIONS).map((from) => write(home, from));
    const listed = await attractor(['sessions', 'import', '--from', 'codex', '--json'], { home });
    expect(linesOf(listed)).toMatchObject([{ from: 'codex', file: files[1] }]);
  });

  test('what is no such file is refused with a word', async () => {
    const home = makeFolder();
    writeOne(home, 'x.jsonl', 'nothing\n');
    const refused = await attractor(['sessions', 'import', '--from', 'codex', path.join(home, 'x.jsonl')], { home });
    expect(refused).toMatchObject({ code: 4, stdout: '' });
    expect(refused.stderr).toContain('holds no conversation of Codex');
    expect(await attractor(['sessions', 'import', '--from', 'nobody', 'x'], { home })).toMatchObject({ code: 2 });
    expect(await attractor(['sessions', 'import'], { home })).toMatchObject({ code: 2 });
    expect(await attractor(['sessions', 'import', '--from', 'codex', '/nowhere'], { home })).toMatchObject({
      code: 3,
    });
  });
});
