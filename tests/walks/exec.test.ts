import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { ANYWHERE, makeFolder, startAttractor, until } from './attractor.ts';
import { kinds, lastBody, makeExecWorld, MODEL, recordsOf } from './exec-world.ts';

const call = (name: string, args: object): object => ({ name, args });

describe('an agent written as markdown is run by the command', () => {
  test('criterion 5: an agent is loaded from agents/*.md, by path and by name', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'Ready.' }] });
    for (const spec of ['agents/developer.md', 'developer'])
      expect(await world.start([], { spec }).ended).toMatchObject({ code: 0, stdout: 'Ready.\n', stderr: '' });
  });

  test('criterion 6: the system prompt is what stands before the first ##; the rest and the parameters are the first message', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'Ready.' }] });
    await world.run([], { stdin: '{"TASK_FILE":"tasks/a.md"}' });
    const body: unknown = world.simulator.requests()[0]?.body;
    expect(JSON.stringify(body)).toContain('"text":"You implement one task at a time."');
    const said = JSON.stringify(body).slice(JSON.stringify(body).indexOf('"messages"'));
    expect(said).toContain('## Your workflow');
    expect(said).toContain('\\"TASK_FILE\\": \\"tasks/a.md\\"');
  });

  test('criteria 7 and 17: a conversation goes on, with several calls in one reply, until nothing is asked for', async () => {
    const world = await makeExecWorld(
      {
        turns: [
          { text: 'I look.', toolCalls: [call('file_list', {}), call('file_search', { pattern: 'FIND ME' })] },
          { expect: { toolResults: 2, toolResult: 'sum.js' }, toolCalls: [call('file_read', { path: 'sum.js' })] },
          {
            expect: { toolResult: 'a - b' },
            toolCalls: [
              call('file_patch', { path: 'sum.js', patches: [{ find: 'a - b', replace: 'a + b' }] }),
              call('file_write', { path: 'notes/done.md', content: 'Done.\n' }),
              call('file_delete', { path: 'old.js' }),
            ],
          },
          { expect: [{ toolResults: 3 }, { toolResult: 'patches_applied' }], text: 'The sum is right now.' },
        ],
      },
      { 'sum.js': 'export const sum = (a, b) => a - b; // FIND ME\n', 'old.js': 'old\n' },
    );
    const ended = await world.run([], { stdin: '{"TASK_FILE":"t.md"}' });
    expect(ended).toMatchObject({ code: 0, stdout: 'The sum is right now.\n', stderr: '' });
    expect(world.simulator.failures()).toEqual([]);
    expect(readFileSync(path.join(world.workspace, 'sum.js'), 'utf8')).toContain('a + b');
    expect(readFileSync(path.join(world.workspace, 'notes/done.md'), 'utf8')).toBe('Done.\n');
    expect(existsSync(path.join(world.workspace, 'old.js'))).toBe(false);
    expect(kinds(world.records(), 'TOOL_CALL_END')).toHaveLength(6);
  });

  test('criterion 8: the id of the session is in the workspace at once, and git does not see it, in a worktree either', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'Ready.', fault: { kind: 'stall', headers: 'held' } }] });
    const running = world.start();
    await until(() => world.simulator.requests()[0], 'the first request');
    expect(world.sessionId()).toMatch(/^ses_/);
    running.child.kill('SIGTERM');
    expect(await running.ended).toMatchObject({ code: 143, stdout: '' });
    const git = (...args: ReadonlyArray<string>): string =>
      execFileSync('git', ['-C', world.workspace, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        encoding: 'utf8',
      });
    expect(git('status', '--porcelain', '-uall')).toBe('');
    git('commit', '-q', '--allow-empty', '-m', 'first');
    const linked = path.join(makeFolder(), 'linked');
    git('worktree', 'add', '-q', linked);
    const flags = ['--provider=anthropic', '--model', MODEL, '--base-url', world.simulator.baseUrls.anthropic];
    const env = { ANTHROPIC_API_KEY: 'none' };
    const ended = await startAttractor(['exec', 'developer', linked, ...flags, ...ANYWHERE], { home: world.home, env })
      .ended;
    expect(ended).toMatchObject({ code: 0, stdout: 'Ready.\n' });
    expect(existsSync(path.join(linked, '.session'))).toBe(true);
    expect(execFileSync('git', ['-C', linked, 'status', '--porcelain', '-uall'], { encoding: 'utf8' })).toBe('');
  });

  test('criterion 9: a tool that fails is told to the agent, which goes on', async () => {
    const world = await makeExecWorld({
      turns: [
        { toolCalls: [call('file_read', { path: 'none.txt' }), call('file_read', { path: '../../etc/passwd' })] },
        {
          expect: [{ toolResult: 'path_outside_workspace' }],
          toolCalls: [call('file_fly', {}), call('file_read', { wrong: 1 })],
        },
        { expect: { toolResult: 'invalid_arguments' }, text: 'None of it is there.' },
      ],
    });
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'None of it is there.\n', stderr: '' });
    expect(world.simulator.failures()).toEqual([]);
    const errors = kinds(world.records(), 'TOOL_CALL_END').map(({ output }) => JSON.parse(String(output)).error);
    expect(errors).toEqual(['file_not_found', 'path_outside_workspace', 'unknown_tool', 'invalid_arguments']);
  });

  test.each([
    [
      'a refused key',
      { kind: 'unauthorized', times: 'forever' },
      6,
      /anthropic: the API key was refused.*ANTHROPIC_API_KEY/,
    ],
    ['a rate limit', { kind: 'rate_limit', times: 'forever' }, 1, /rate limit.*Wait/],
    ['an overloaded service', { kind: 'overloaded', times: 'forever' }, 1, /overloaded.*Try again/],
    ['an unknown model', { kind: 'not_found', times: 'forever' }, 1, /not found.*Check the model name/],
    ['an empty answer', { kind: 'empty', times: 'forever' }, 1, /no answer that can be acted on.*another model/],
    [
      'a connection that is cut',
      { kind: 'cut', atByte: 0, times: 'forever' },
      1,
      /connection to 127.* broke.*Try again/,
    ],
  ])('criterion 9: %s is one clear line and the right exit code', async (_what, fault, code, says) => {
    const world = await makeExecWorld({ turns: [{ text: 'Never.', fault, repeat: 'forever' }] });
    const ended = await world.run(['--max-retries', '0']);
    expect(ended.stderr).toMatch(says);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(ended).toMatchObject({ code, stdout: '' });
    expect(kinds(world.records(), 'ERROR')).toHaveLength(1);
    expect(ended.stderr).toContain(world.sessionId());
  });

  test('an answer that cannot be understood is logged in detail and reported plainly', async () => {
    const world = await makeExecWorld({
      turns: [{ text: 'Never.', fault: { kind: 'empty', times: 'forever' }, repeat: 'forever' }],
    });
    await world.run(['--max-retries', '0']);
    expect(JSON.stringify(kinds(world.records(), 'WARNING'))).toContain('empty reply');
  });

  test('criterion 3: the provider is that of the flag, else of the configuration, else what is available, told in one line', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'Ready.', repeat: 'forever' }] });
    const { baseUrls } = world.simulator;
    const asked = (): string | undefined => world.simulator.requests().at(-1)?.protocol;
    const env = { OPENAI_API_KEY: 'none', GEMINI_API_KEY: 'none' };
    const gemini = ['--provider=gemini', '--model', 'gemini-x', '--base-url', baseUrls.gemini];
    expect(await world.run([], { model: gemini, env })).toMatchObject({ code: 0, stderr: '' });
    expect(asked()).toBe('gemini');
    const available = await world.run([], { model: ['--base-url', baseUrls.anthropic] });
    expect(available).toMatchObject({ code: 0, stderr: 'provider: anthropic (its key is set)\n' });
    mkdirSync(path.join(world.home, '.attractor'), { recursive: true });
    const providers = { openai: { baseUrl: baseUrls.openai } };
    writeFileSync(
      path.join(world.home, '.attractor/config.json'),
      JSON.stringify({ provider: 'openai', model: 'gpt-x', providers }),
    );
    expect(await world.run([], { model: [], env })).toMatchObject({ code: 0, stdout: 'Ready.\n', stderr: '' });
    expect(asked()).toBe('openai');
  });

  test('criterion 4: a provider of one file is used by its path; nothing else changes', async () => {
    const world = await makeExecWorld({ turns: [] });
    writeFileSync(path.join(world.home, 'echo.mjs'), ECHO_PROVIDER);
    const ended = await world.run([], { model: ['--provider=./echo.mjs'], stdin: '{"A":1}' });
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toContain('echo of 2 results');
    const again = await world.run([world.sessionId()], { model: ['--provider=./echo.mjs'] });
    expect(again).toMatchObject({ code: 0, stdout: 'echo of 0 results\n' });
  });

  test('a session is resumed in a new process with its history; the same tools through the binary', async () => {
    const world = await makeExecWorld(
      {
        turns: [
          { toolCalls: [call('file_read', { path: 'a.txt' })] },
          { expect: { toolResult: 'alpha' }, text: 'It says alpha.' },
          {
            expect: { lastUser: 'Continue with these parameters' },
            toolCalls: [call('file_write', { path: 'b.txt', content: 'b' })],
          },
          { expect: { toolResult: 'bytes_written' }, text: 'Written.' },
          { text: 'Again.' },
        ],
      },
      { 'a.txt': 'alpha\n' },
    );
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'It says alpha.\n' });
    const id = world.sessionId();
    const more = { stdin: '{"NEXT":"b"}' };
    expect(await world.run([id, '--tools=binary'], more)).toMatchObject({ code: 0, stdout: 'Written.\n', stderr: '' });
    expect(lastBody(world.simulator)).toContain('alpha');
    expect(await world.run(['--continue'])).toMatchObject({ code: 0, stdout: 'Again.\n' });
    expect(world.sessionId()).toBe(id);
    expect(world.simulator.failures()).toEqual([]);
    expect(readFileSync(path.join(world.workspace, 'b.txt'), 'utf8')).toBe('b');
  });

  test('--json gives events a line each, and the result last', async () => {
    const world = await makeExecWorld({ turns: [{ toolCalls: [call('file_list', {})] }, { text: 'Seen.' }] });
    const { code, stdout } = await world.run(['--json']);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(code).toBe(0);
    expect(lines.map(({ type }) => type)).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
    expect(lines.at(-1)).toMatchObject({
      subtype: 'success',
      result: 'Seen.',
      num_turns: 2,
      session_id: world.sessionId(),
    });
    expect(lines.at(-1).usage.output_tokens).toBeGreaterThan(0);
  });

  test('--output-format json gives the result alone; time with the model is not all of the time', async () => {
    const lists = Array.from({ length: 3 }, () => call('file_list', {}));
    const world = await makeExecWorld({ turns: [{ delayMs: 100, toolCalls: lists }, { text: 'Seen.' }] });
    // Each call is a program of its own here, which takes its time.
    const { code, stdout } = await world.run(['--output-format=json', '--tools=binary']);
    expect(code).toBe(0);
    const result = JSON.parse(stdout);
    expect(result).toMatchObject({ type: 'result', subtype: 'success', result: 'Seen.', num_turns: 2 });
    expect(result.duration_api_ms).toBeGreaterThanOrEqual(90);
    expect(result.duration_ms - result.duration_api_ms).toBeGreaterThan(90);
  });

  test('an agent whose file allows reading only can only read, and one with a limit stops there', async () => {
    const world = await makeExecWorld({
      turns: [
        {
          expect: { tools: ['file_read'], noTools: ['file_write'] },
          toolCalls: [call('file_write', { path: 'a', content: 'x' })],
        },
        { expect: { toolResult: 'This agent has no tool file.write' }, toolCalls: [call('file_list', {})] },
        { text: 'Too late.' },
      ],
    });
    writeFileSync(
      path.join(world.home, 'agents/reader.md'),
      '---\nname: reader\npermissionMode: plan\nmaxTurns: 2\ncolor: red\n---\nYou read.\n',
    );
    const ended = await world.run([], { spec: 'reader' });
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^not used here: color\nattractor: Stopped after 2 replies/);
    expect(existsSync(path.join(world.workspace, 'a'))).toBe(false);
    expect(world.simulator.failures()).toEqual([]);
  });

  test('secrets of the workspace and of the environment are neither sent nor stored', async () => {
    const secret = `ghp_${'A1b2C3d4'.repeat(4)}9xYz`;
    // By itself it looks like any other words.
    const known = 'plum-walrus-otter';
    const world = await makeExecWorld(
      { turns: [{ toolCalls: [call('file_read', { path: 'key.txt' })] }, { text: 'Read.' }] },
      { 'key.txt': `token = ${secret}\nand then: ${known}\n` },
    );
    expect(await world.run([], { env: { DEPLOY_TOKEN: known } })).toMatchObject({ code: 0 });
    const kept = lastBody(world.simulator) + JSON.stringify(recordsOf(world.home, world.sessionId()));
    expect(lastBody(world.simulator)).toContain('and then: [redacted:');
    for (const one of [secret, known]) expect(kept).not.toContain(one);
  });

  test("the person's rules hold for its tools: what they deny comes back to the agent as an error", async () => {
    const world = await makeExecWorld(
      {
        turns: [
          {
            toolCalls: [
              call('file_read', { path: 'private/plan.md' }),
              call('file_write', { path: 'fixed.md', content: 'x' }),
            ],
          },
          { expect: { toolResults: 2 }, toolCalls: [call('file_write', { path: 'free.md', content: 'mine' })] },
          { text: 'Done what I may.' },
        ],
      },
      { 'private/plan.md': 'THE PLAN', 'fixed.md': 'fixed' },
    );
    mkdirSync(path.join(world.home, '.attractor'), { recursive: true });
    const permissions = { deny: ['Read(private/**)', 'Edit(fixed.md)'] };
    writeFileSync(path.join(world.home, '.attractor/config.json'), JSON.stringify({ permissions }));
    expect(await world.run()).toMatchObject({ code: 0, stdout: 'Done what I may.\n' });
    expect(lastBody(world.simulator)).not.toContain('THE PLAN');
    expect(lastBody(world.simulator)).toContain('denied by the deny rule Read(private/**)');
    expect(readFileSync(path.join(world.workspace, 'fixed.md'), 'utf8')).toBe('fixed');
    expect(readFileSync(path.join(world.workspace, 'free.md'), 'utf8')).toBe('mine');
  });

  test('agent-executor is the same command by its own name', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'Ready.' }] });
    const program = path.resolve(import.meta.dirname, '../../packages/cli/bin/agent-executor.js');
    const flags = ['--provider=anthropic', '--model', MODEL, '--base-url', 'http://127.0.0.1:9', '--max-retries=0'];
    const ended = spawnSync(
      process.execPath,
      [program, path.join(world.home, 'agents/developer.md'), world.workspace, ...flags, ...ANYWHERE],
      {
        env: { PATH: '/usr/bin:/bin', HOME: world.home, ANTHROPIC_API_KEY: 'none' },
        encoding: 'utf8',
        input: '',
      },
    );
    expect(ended.stderr).toMatch(/^attractor: Cannot reach .*Check the base URL/);
    expect(ended.status).toBe(1);
  });
});

/** Answers the first message with two calls, and every later word with how many results it heard. */
const ECHO_PROVIDER = `
const answer = (results) => ({ ok: true, value: { text: 'echo of ' + results.length + ' results', toolCalls: [], isComplete: true } });
export default {
  id: 'echo',
  open: (host) => ({
    createSession: async (agentSpec) => ({ ok: true, value: { id: 'echo-1', provider: 'echo', agentSpec } }),
    resumeSession: async (id) => ({ ok: true, value: host.history(id) === null ? null : { id, provider: 'echo', agentSpec: host.agentSpec } }),
    sendMessage: async (session, message) => message.includes('"A": 1')
      ? { ok: true, value: { text: '', isComplete: false, toolCalls: ['1', '2'].map((id) => ({ id, name: 'file.list', input: {} })) } }
      : answer([]),
    submitToolResults: async (session, results) => answer(results),
  }),
};
`;
