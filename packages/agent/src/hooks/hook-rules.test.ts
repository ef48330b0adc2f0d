import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import {
  type CommandHandler,
  type HookDefinition,
  type HookEventName,
  type HookHandler,
  type HookOutcome,
  readHookDefinitions,
  readMatcher,
  type SettingOrigin,
} from '@attractor/settings';
import { gone, makeFolder, until } from '@attractor/base/testing';

import { createHooks, type Hooks, type HooksOptions } from './hooks.ts';

import { parseAssignments, withVariables } from './variables.ts';

const signal = new AbortController().signal;

function open(definitions: ReadonlyArray<HookDefinition>, more: Partial<HooksOptions> = {}): Hooks & { root: string } {
  const root = makeFolder({});
  const hooks = createHooks({ definitions, environment: createLocalExecutionEnvironment(root), ...more });
  onTestFinished(hooks.close);
  return { ...hooks, root };
}

const line = (command: string, more: Partial<CommandHandler> = {}): CommandHandler => ({
  kind: 'command',
  command,
  ...more,
});

const says = (answer: Readonly<Record<string, unknown>>): HookHandler => ({ kind: 'function', run: () => answer });

const bash = (command: string): Readonly<Record<string, unknown>> => ({ tool_name: 'Bash', tool_input: { command } });

async function fired(event: HookEventName, ...handlers: ReadonlyArray<HookHandler>): Promise<HookOutcome> {
  return open([{ event, handlers }]).fire(event, { tool_name: 'Bash', tool_input: {} }, { signal });
}

const PROJECT: SettingOrigin = {
  scope: 'project',
  agent: 'claude-code',
  file: '/r/.claude/settings.json',
  line: 3,
  name: null,
};
const USER: SettingOrigin = { ...PROJECT, scope: 'user', file: '/h/.claude/settings.json' };

it('a tool of a server is called with what the hook is told, and its answer counts as one', async () => {
  const calls: unknown[] = [];
  const handler = {
    kind: 'mcp_tool',
    server: 's',
    tool: 't',
    input: { file: '${tool_input.path}', text: 'in ${cwd}: ${tool_input.list}', list: '${tool_input.list}' },
  } as const;
  const fireWith = (output: string, isError = false, failClosed = false) =>
    open([{ event: 'PreToolUse', handlers: [{ ...handler, failClosed }] }], {
      means: {
        call: async ({ signal: _signal, ...one }) => {
          calls.push(one);
          return { output, isError };
        },
      },
    }).fire('PreToolUse', { cwd: '/w', tool_input: { path: 'a', list: [1] } }, { signal });
  expect(await fireWith('{"decision":"block","reason":"no"}')).toMatchObject({ block: 'no' });
  expect(calls).toEqual([{ server: 's', tool: 't', input: { file: 'a', text: 'in /w: [1]', list: [1] } }]);
  expect(await fireWith('broken', true)).toMatchObject({ ran: 1, block: null });
  expect((await fireWith('{ nope', false, true)).block).toContain('begins like JSON');
  expect(await fired('PreToolUse', { ...handler, failClosed: true })).toMatchObject({ block: expect.any(String) });
});

describe('who is told', () => {
  it.each([
    ['', 'Bash', true],
    ['*', 'Bash', true],
    ['Bash', 'Bash', true],
    ['Bash', 'BashOutput', false],
    ['Edit|Write', 'Write', true],
    ['Edit, Write', 'Write', true],
    ['Edit|Write', 'NotebookEdit', false],
    ['Notebook.*', 'NotebookEdit', true],
    ['mcp__memory__.*', 'mcp__memory__create', true],
    ['^Bash$', 'BashOutput', false],
    ['Bash', 'run_shell_command', true],
    ['shell', 'Bash', true],
    ['Write', 'apply_patch', true],
    ['Read', 'apply_patch', false],
  ])('the matcher %j speaks of %s: %s', async (matcher, tool, expected) => {
    const hooks = open([{ event: 'PreToolUse', matcher, handlers: [says({})] }]);
    const { ran } = await hooks.fire('PreToolUse', { tool_name: tool }, { signal });
    expect(ran === 1).toBe(expected);
  });

  it('an expression that would take for ever is given up, and counts as matching', () => {
    const read = readMatcher('^(a+)+$');
    expect(read.ok && read.matches([`${'a'.repeat(40)}!`])).toBe(true);
  });

  it.each([
    ['Bash(git push *)', 'npm test && git push origin', true],
    ['Bash(git push *)', 'git status', false],
    ['Bash(rm *)', 'cat "$(', true],
  ])('with if %s, of the command %j: %s', async (when, command, expected) => {
    const hooks = open([{ event: 'PreToolUse', handlers: [{ kind: 'function', run: () => ({}), when }] }]);
    expect((await hooks.fire('PreToolUse', bash(command), { signal })).ran === 1).toBe(expected);
    const other = open([{ event: 'Stop', handlers: [{ kind: 'function', run: () => ({}), when }] }]);
    expect((await other.fire('Stop', {}, { signal })).ran).toBe(0);
  });

  it('identical handlers run once, a handler with once runs the first time only', async () => {
    const same = line('echo x >> count');
    const once = line('echo y >> once', { once: true });
    const hooks = open([
      { event: 'Stop', handlers: [same, { ...same }, once] },
      { event: 'Stop', handlers: [{ ...same }] },
    ]);
    expect((await hooks.fire('Stop', {}, { signal })).ran).toBe(2);
    expect((await hooks.fire('Stop', {}, { signal })).ran).toBe(1);
    expect(readFileSync(path.join(hooks.root, 'count'), 'utf8')).toBe('x\nx\n');
    expect(readFileSync(path.join(hooks.root, 'once'), 'utf8')).toBe('y\n');
  });

  it('handlers run side by side: each waits for the other', async () => {
    const meet = (own: string, other: string): HookHandler =>
      line(`touch ${own}; until [ -e ${other} ]; do sleep 0.02; done`, { timeoutMs: 600_000 });
    const hooks = open([{ event: 'Stop', handlers: [meet('a', 'b'), meet('b', 'a')] }]);
    const statuses: unknown[] = [];
    await hooks.fire('Stop', {}, { signal, onRun: (run) => void (run.kind === 'ended' && statuses.push(run.status)) });
    expect(statuses).toEqual(['success', 'success']);
  });
});

describe('what many handlers come to', () => {
  const word = (permissionDecision: string, reason: string): HookHandler =>
    says({ hookSpecificOutput: { permissionDecision, permissionDecisionReason: reason } });

  it.each([
    [['allow', 'ask', 'defer', 'deny'], 'deny'],
    [['allow', 'defer', 'ask'], 'defer'],
    [['ask', 'allow'], 'ask'],
    [['allow'], 'allow'],
  ])('%j come to %s', async (words, expected) => {
    const { permission } = await fired('PreToolUse', ...words.map((one) => word(one, one)));
    expect(permission).toEqual({ word: expected, reason: expected });
  });

  it('reasons and contexts add up in the order they were written, the later replacement counts', async () => {
    const slow: HookHandler = {
      kind: 'function',
      run: async () => {
        await new Promise((resolve) => setTimeout(resolve, 50));
        return {
          decision: 'block',
          reason: 'one',
          hookSpecificOutput: { additionalContext: 'c1', updatedInput: { a: 1 } },
        };
      },
    };
    const quick = says({
      decision: 'block',
      reason: 'two',
      hookSpecificOutput: { additionalContext: 'c2', updatedInput: { a: 2 } },
    });
    expect(await fired('PreToolUse', slow, quick)).toMatchObject({
      block: 'one\ntwo',
      context: ['c1', 'c2'],
      updatedInput: { a: 2 },
    });
  });

  it('of answers to a request the refusal counts, wherever it stands', async () => {
    const allow = says({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
    const deny = says({ hookSpecificOutput: { decision: { behavior: 'deny', message: 'no' } } });
    for (const handlers of [
      [deny, allow],
      [allow, deny],
      [allow, deny, allow],
    ])
      expect((await fired('PermissionRequest', ...handlers)).request).toMatchObject({
        behavior: 'deny',
        message: 'no',
      });
  });

  it('the older words approve and block still count', async () => {
    expect((await fired('PreToolUse', says({ decision: 'approve', reason: 'fine' }))).permission?.word).toBe('allow');
    expect((await fired('PreToolUse', says({ decision: 'deny', reason: 'no' }))).block).toBe('no');
    const unknown = { decision: 'stop', hookSpecificOutput: { permissionDecision: 'block' } };
    expect((await fired('PreToolUse', says(unknown))).unheeded).toEqual([
      '"decision": "stop" has no effect: expected block or approve',
      '"permissionDecision": "block" has no effect: expected allow or deny or ask or defer',
    ]);
    expect((await fired('PreToolUse', says({ decision: 'block', reason: 'no' }))).block).toBe('no');
  });

  it('a function that throws or never answers is an error, and a refusal when it fails closed', async () => {
    const run = (): never => {
      throw new Error('a bug');
    };
    const hang = (): Promise<void> => new Promise(() => undefined);
    expect((await fired('Stop', { kind: 'function', run })).block).toBeNull();
    expect((await fired('Stop', { kind: 'function', run, failClosed: true })).block).toContain('a bug');
    expect((await fired('Stop', { kind: 'function', run: hang, timeoutMs: 50, failClosed: true })).block).toContain(
      '0.05 seconds',
    );
  });

  it('what begins like JSON and is none is an error', async () => {
    expect((await fired('PreToolUse', line('echo "{ nope"', { failClosed: true }))).block).toContain(
      'begins like JSON',
    );
    expect((await fired('SessionStart', line('echo "{ nope"'))).context).toEqual([]);
  });

  it.each([
    [`{"continue":"no"}`, '"continue" is "no", which has no effect'],
    [`{"hookSpecificOutput":[]}`, '"hookSpecificOutput" is [], which has no effect'],
    [`{"hookSpecificOutput":{"updatedInput":"x"}}`, '"updatedInput" is "x", which has no effect'],
    [`hello\n{"decision":"block"}`, 'it printed other text before it: "hello'],
    ['<html>sign in</html>', 'it answered with a page, not with JSON'],
    [`{"permissionDecision":"deny"}`, '"permissionDecision" has no effect outside "hookSpecificOutput"'],
  ])('what a guard says in vain is told, and refuses where it must not fail: %s', async (output, told) => {
    const guard = line(`printf '${output}'`);
    const { block, unheeded } = await fired('PreToolUse', guard);
    expect([block, unheeded]).toEqual([null, [expect.stringContaining(told)]]);
    const [words = ''] = told.split(/, which| has no effect/);
    expect((await fired('PreToolUse', { ...guard, failClosed: true })).block).toContain(words);
    expect((await fired('PreToolUse', line(`echo 'a note, {"in": "braces"}'`))).unheeded).toEqual([]);
  });
});

it.each<readonly [event: 'PreToolUse' | 'SessionStart', answer: object, told: ReadonlyArray<string>]>([
  ['PreToolUse', {}, []],
  [
    'PreToolUse',
    { continue: 'no', hookSpecificOutput: { permissionDecision: 'maybe', updatedInput: 'x' } },
    ['permissionDecision', 'continue', 'updatedInput'],
  ],
  ['PreToolUse', { descision: 'block' }, ['"descision" has no effect: "decision" was meant?']],
  [
    'PreToolUse',
    { decision: null, hookSpecificOutput: { permisionDecision: 'deny' } },
    ['"permissionDecision" was meant?'],
  ],
  [
    'PreToolUse',
    { hookSpecificOutput: { systemMessage: 'hello', additionalContext: 5 } },
    ['systemMessage" has no effect in', 'additionalContext" is 5, which has no effect: expected a text'],
  ],
  ['PreToolUse', { blocked: true, why: 'no' }, ['none of the fields']],
  ['SessionStart', { decision: 'block', reason: 'no' }, ['SessionStart stops nothing']],
])('each field of an answer of %s that says nothing here is told: %j', async (event, answer, told) => {
  const { unheeded } = await fired(event, { kind: 'function', run: () => answer });
  expect(unheeded).toEqual(told.map((text) => expect.stringContaining(text)));
});

it('an event that nobody knows is told, with the one that was probably meant', () => {
  const origin = { scope: 'user', agent: 'claude-code', file: '/x', line: 1, name: null } as const;
  const value = { hooks: [{ type: 'command', command: 'guard' }] };
  const unused = ['PreToolUze', 'BeforeDawn'].map((event) => readHookDefinitions([{ event, value, origin }]).unused);
  expect(unused).toEqual([
    ['/x:1: hooks.PreToolUze: there is no such event here: PreToolUse was meant?'],
    ['/x:1: hooks.BeforeDawn: there is no such event here'],
  ]);
});

describe('commands', () => {
  it('get the project and the harmless variables, without secrets and what steers programs; args go without a shell', async () => {
    const root = makeFolder({ '.bashrc': 'touch read-bashrc' });
    const variables = { PATH: process.env['PATH'], HOME: root, MY_API_KEY: 'secret', OTHER: 'x', BASH_ENV: 'x' };
    const environment = createLocalExecutionEnvironment(root, 'inherit_harmless', { env: variables });
    const program = path.join(root, 'program.sh');
    writeFileSync(program, '#!/bin/bash\ncat >/dev/null\nprintf "%s\\n" "$@" > words\nenv > program.env\n', {
      mode: 0o755,
    });
    const hooks = open(
      [{ event: 'Stop', handlers: [line('env > line.env'), line(program, { args: ['$HOME', 'a b', '; touch x'] })] }],
      { environment, variables },
    );
    await hooks.fire('Stop', { effort: { level: 'high' } }, { signal });
    for (const file of ['line.env', 'program.env']) {
      const seen = readFileSync(path.join(root, file), 'utf8');
      expect(seen).toContain(`CLAUDE_PROJECT_DIR=${root}\n`);
      expect(seen).toContain(`ATTRACTOR_PROJECT_DIR=${root}\n`);
      expect(seen).toContain('CLAUDE_EFFORT=high\n');
      expect(seen).toContain('OTHER=x\n');
      expect(seen).not.toMatch(/API_KEY|BASH_ENV/);
    }
    expect(readFileSync(path.join(root, 'words'), 'utf8')).toBe('$HOME\na b\n; touch x\n');
    expect(existsSync(path.join(root, 'x'))).toBe(false);
    expect(existsSync(path.join(root, 'read-bashrc'))).toBe(false);
  });

  it.each(['shell', 'program'])('a timeout ends the whole group (%s)', async (form) => {
    const script = 'sleep 300 & echo $! > pid; wait';
    const handler = form === 'shell' ? line(script) : line('/bin/sh', { args: ['-c', script] });
    const hooks = open([{ event: 'Stop', handlers: [{ ...handler, timeoutMs: 1_500 }] }]);
    await hooks.fire('Stop', {}, { signal });
    const pid = Number(readFileSync(path.join(hooks.root, 'pid'), 'utf8'));
    expect(pid).toBeGreaterThan(1);
    await gone(pid);
  });

  it('one that nobody waits for tells later, and is ended with the hooks', async () => {
    const late = Promise.withResolvers<HookOutcome>();
    const hooks = open([
      {
        event: 'PostToolUse',
        handlers: [
          line(`echo '{"hookSpecificOutput":{"additionalContext":"later"},"decision":"block"}'`, { isAsync: true }),
          line('echo $$ > pid; exec sleep 300', { isAsync: true }),
        ],
      },
    ]);
    const now = await hooks.fire('PostToolUse', { tool_name: 'Bash' }, { signal, onLate: late.resolve });
    expect(now).toMatchObject({ ran: 0, block: null });
    expect((await late.promise).context).toEqual(['later']);
    await until(() => existsSync(path.join(hooks.root, 'pid')));
    await hooks.close();
    const pid = readFileSync(path.join(hooks.root, 'pid'), 'utf8').trim();
    await gone(Number(pid));
  });

  it('what is too long goes to a file, without its secrets', async () => {
    const hooks = open([{ event: 'SessionStart', handlers: [line('echo SECRET; yes word | head -c 20000')] }]);
    const redact = (text: string): string => text.replaceAll('SECRET', '[gone]');
    const { context } = await hooks.fire('SessionStart', { source: 'startup' }, { signal, redact });
    const [text = ''] = context;
    expect(text.length).toBeLessThan(3_000);
    const [, file = ''] = /the whole text is in (\S+)\]/.exec(text) ?? [];
    const whole = readFileSync(file, 'utf8');
    expect(whole.length).toBeGreaterThan(19_000);
    expect(whole.startsWith('[gone]')).toBe(true);
  });

  it('leave variables for later commands in CLAUDE_ENV_FILE', async () => {
    const hooks = open([
      { event: 'SessionStart', handlers: [line(`echo "export COLOUR='dark blue'" >> "$CLAUDE_ENV_FILE"`)] },
    ]);
    await hooks.fire('SessionStart', { source: 'startup' }, { signal });
    const environment = withVariables(createLocalExecutionEnvironment(hooks.root), hooks.variables);
    expect((await environment.execCommand('echo "$COLOUR"')).stdout).toBe('dark blue\n');
    expect(parseAssignments('A=1\nexport B="x \\"y\\""\n# no\nexport 9=2\nC=$(rm -rf x)')).toEqual({
      A: '1',
      B: 'x "y"',
      C: '$(rm -rf x)',
    });
  });
});

describe('http', () => {
  it('puts only allowed variables into headers; a repository may not ask this machine', async () => {
    const seen: Array<string | undefined> = [];
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization);
      if (request.url === '/packed') response.setHeader('content-encoding', 'gzip');
      response.end('{"systemMessage":"hello"}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const at = server.address();
    const port = typeof at === 'object' && at !== null ? at.port : 0;
    const handler = (host: string): HookHandler => ({
      kind: 'http',
      url: `http://${host}:${port}/`,
      headers: { Authorization: 'Bearer $TOKEN ${OTHER}!' },
      allowedEnvVars: ['TOKEN'],
    });
    const variables = { TOKEN: 't1', OTHER: 'o1' };
    const own = open([{ event: 'Stop', handlers: [handler('127.0.0.1')], origin: USER }], { variables });
    expect((await own.fire('Stop', {}, { signal })).messages).toEqual(['hello']);
    expect(seen).toEqual(['Bearer t1 !']);
    for (const host of ['127.0.0.1', 'localhost', '[::1]', '0x7f000001']) {
      const theirs = open([{ event: 'Stop', handlers: [handler(host)], origin: PROJECT }], { variables });
      expect((await theirs.fire('Stop', {}, { signal })).messages).toEqual([]);
    }
    expect(seen).toHaveLength(1);
    const packed = { kind: 'http', url: `http://127.0.0.1:${port}/packed`, failClosed: true } as const;
    expect((await fired('PreToolUse', packed)).block).toContain('in the encoding gzip');
  });
});

describe('hooks of settings', () => {
  const read = (event: string, value: unknown): ReturnType<typeof readHookDefinitions> =>
    readHookDefinitions([{ event, value, origin: PROJECT }]);

  it('are read as they are published', () => {
    const group = {
      matcher: 'Edit|Write',
      hooks: [
        {
          type: 'command',
          command: 'lint',
          args: ['--fix'],
          timeout: 5,
          if: 'Edit(src/**)',
          once: true,
          failClosed: true,
        },
        { type: 'command', command: 'later', async: true },
        { type: 'command', command: 'Get-Date', shell: 'powershell' },
        { type: 'http', url: 'https://example.com/hook', headers: { A: '$B' }, allowedEnvVars: ['B'] },
      ],
    };
    expect(read('PostToolUse', group)).toEqual({
      definitions: [
        {
          event: 'PostToolUse',
          matcher: 'Edit|Write',
          origin: PROJECT,
          handlers: [
            {
              kind: 'command',
              command: 'lint',
              args: ['--fix'],
              timeoutMs: 5000,
              when: 'Edit(src/**)',
              once: true,
              failClosed: true,
            },
            { kind: 'command', command: 'later', isAsync: true },
            { kind: 'command', command: 'pwsh', args: ['-NoProfile', '-NonInteractive', '-Command', 'Get-Date'] },
            { kind: 'http', url: 'https://example.com/hook', headers: { A: '$B' }, allowedEnvVars: ['B'] },
          ],
        },
      ],
      problems: [],
      unused: [],
    });
  });

  it.each([
    ['a broken expression', { matcher: '(', hooks: [] }, 'the matcher "(" is not a regular expression'],
    ['no command', { hooks: [{ type: 'command' }] }, '"command" must be a text'],
    ['a broken rule', { hooks: [{ type: 'command', command: 'x', if: 'Bash(' }] }, '"if": The rule'],
    [
      'a wrong timeout',
      { hooks: [{ type: 'command', command: 'x', timeout: '5' }] },
      '"timeout" must be seconds above 0',
    ],
    [
      'an address of another kind',
      { hooks: [{ type: 'http', url: 'file:///etc/passwd' }] },
      '"url" must be an address',
    ],
    ['an address with a user', { hooks: [{ type: 'http', url: 'https://a@b.test/' }] }, '"url" must be an address'],
    ['an unknown kind', { hooks: [{ type: 'magic' }] }, '"type" must be "command", "http", "prompt"'],
    ['a question without words', { hooks: [{ type: 'prompt' }] }, '"prompt" must be a text'],
    ['a tool without a server', { hooks: [{ type: 'mcp_tool', tool: 'x' }] }, '"server" and "tool" must name'],
  ])('%s is a mistake that is told with its place', (_what, value, message) => {
    const [problem = ''] = read('PreToolUse', value).problems;
    expect(problem.startsWith('/r/.claude/settings.json:3: hooks.PreToolUse: ')).toBe(true);
    expect(problem).toContain(message);
  });

  it('all five kinds are read; events that nothing here fires are listed, not refused', () => {
    const hooks = [
      { type: 'prompt', prompt: 'done?', model: 'small' },
      { type: 'agent', prompt: 'look', timeout: 5 },
      { type: 'mcp_tool', server: 's', tool: 't', input: { file: '${tool_input.file_path}' } },
    ];
    const { definitions, problems, unused } = read('Stop', { hooks });
    expect([problems, unused]).toEqual([[], []]);
    expect(definitions[0]?.handlers).toEqual([
      { kind: 'prompt', prompt: 'done?', model: 'small' },
      { kind: 'agent', prompt: 'look', timeoutMs: 5000 },
      { kind: 'mcp_tool', server: 's', tool: 't', input: { file: '${tool_input.file_path}' } },
    ]);
    expect(read('TeammateIdle', { hooks: [{ type: 'command', command: 'x' }] }).unused).toHaveLength(1);
    expect(read('Nonsense', { hooks: [] }).unused).toHaveLength(1);
  });
});
