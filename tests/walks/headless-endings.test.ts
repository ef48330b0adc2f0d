import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openSessions } from '@attractor/journal';
import { describe, expect, test } from 'vitest';
import { runAttractor, type Running, until } from './attractor.ts';
import { type Fields, linesOf, makeWorld } from './headless-world.ts';

const LINES = ['--output-format', 'stream-json'];
const BOTH = ['-p', ...LINES, '--input-format', 'stream-json'];

function userLine(content: unknown): string {
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null })}\n`;
}

function typesOf(lines: ReadonlyArray<Fields>): ReadonlyArray<unknown> {
  return lines.map((line) => line['type']);
}

function results(running: Running): number {
  return running.output().split('"type":"result"').length - 1;
}

function sessionsOf(home: string): ReadonlyArray<string> {
  return openSessions({ home: path.join(home, '.attractor') })
    .list()
    .map(({ id }) => id);
}

describe('a run that can not begin', () => {
  test.each([
    [['-p', 'x', '--resume', 'ses_none'], 3, /no session/],
    [['-p', 'x', '--cwd', '/nowhere'], 3, /not a folder/],
    [['-p', 'x', '--nosuch'], 2, /unknown option/],
    [['-p', 'x', '--max-turns', '1.5'], 2, /whole number above 0/],
    [['-p', 'x', '--config', '{"maxTurns":"x"}'], 2, /maxTurns must be a whole number/],
    [['-p', 'x', '--config', '{"toolOutputLimits":{"shell":-1}}'], 2, /toolOutputLimits must be/],
    [['-p', 'x', '--json-schema', '{"type":"text"}'], 2, /"text" is not a type of a JSON Schema/],
    [['-p', 'fix', 'it'], 2, /two prompts: 'fix' and 'it'/],
    [['-p', ' '], 2, /no prompt/],
    [['-p'], 2, /no prompt/],
    [['-p', '--input-format', 'stream-json'], 2, /no prompt/],
    [['-p', 'x', '--fork-session'], 2, /name it with --resume or --continue/],
    [['-p', 'x', '--resume', 'a', '--continue'], 2, /can't both/],
    [['-p', 'x', '--continue', '--session-id', 'a'], 2, /add --fork-session/],
  ] as const)('%j ends with one clear line, and with a result line where lines are read', async (flags, code, says) => {
    const world = await makeWorld([{ text: 'x' }]);
    const ended = await world.ask([...flags, ...LINES]);
    expect(ended.code).toBe(code);
    expect(ended.stderr.trim().split('\n')).toEqual([expect.stringMatching(says)]);
    expect(linesOf(ended)).toEqual([
      expect.objectContaining({ type: 'result', subtype: 'error_during_execution', is_error: true, session_id: null }),
    ]);
    expect(linesOf(ended)[0]?.['result']).toMatch(says);
    expect(world.requests()).toEqual([]);
    expect(sessionsOf(world.home)).toEqual([]);
  });
});

describe('prompts as lines on an open stdin', () => {
  test('each has its result line as soon as it is answered; the end of stdin ends the run', async () => {
    const world = await makeWorld([{ text: 'One.' }, { text: 'Two.' }]);
    const running = world.open(BOTH);
    running.child.stdin?.write(userLine('a'));
    await until(() => (results(running) === 1 ? true : undefined), 'the first result');
    running.child.stdin?.end(userLine('b'));
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(typesOf(linesOf(ended))).toEqual(['system', 'assistant', 'result', 'assistant', 'result']);
    expect(linesOf(ended).at(-1)).toMatchObject({ subtype: 'success', result: 'Two.', num_turns: 2 });
  });

  test('images reach the model', async () => {
    const world = await makeWorld([{ text: 'A dot.' }]);
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
    const ended = await world.ask(BOTH, userLine([{ type: 'text', text: 'What is it?' }, image]));
    expect(linesOf(ended).at(-1)).toMatchObject({ subtype: 'success', result: 'A dot.' });
    expect(JSON.stringify(world.requests()[0]?.body)).toContain('"data":"iVBORw0KGgo="');
  });

  test('a line that is not understood ends the run in order, after the prompts before it', async () => {
    const world = await makeWorld([{ text: 'One.' }]);
    const ended = await world.ask(BOTH, `${userLine('a')}not json\n`);
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(/^attractor: line 2 of stdin is not valid JSON/);
    expect(linesOf(ended).slice(-2)).toEqual([
      expect.objectContaining({ type: 'result', result: 'One.' }),
      expect.objectContaining({ type: 'result', is_error: true, result: expect.stringMatching(/line 2 of stdin/) }),
    ]);
    const shown = await world.ask(['-p', 'b', '--continue', ...LINES]);
    expect(typesOf(linesOf(shown))).not.toContain('user');
  });

  test('a session that closed itself ends the run, though more might come', async () => {
    const world = await makeWorld([{ text: 'x', fault: [{ kind: 'unauthorized', times: 'forever' }] }]);
    const running = world.open(BOTH);
    running.child.stdin?.write(userLine('a'));
    const ended = await running.ended;
    expect(ended.code).toBe(1);
    expect(typesOf(linesOf(ended))).toEqual(['system', 'result']);
  });

  test.each([
    ['lines', BOTH],
    ['a text', ['-p', ...LINES]],
  ])('a signal ends the waiting for %s; nothing was made before there is a prompt', async (_what, flags) => {
    const world = await makeWorld([{ text: 'x' }]);
    const running = world.open(flags);
    // More than a pipe holds: it is reading once this is written.
    await new Promise((resolve) => running.child.stdin?.write('\n'.repeat(1 << 20), resolve));
    running.child.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended.code).toBe(143);
    const stopped = { type: 'result', is_error: true, terminal_reason: 'aborted_streaming', session_id: null };
    expect(linesOf(ended)).toEqual([expect.objectContaining(stopped)]);
    expect(sessionsOf(world.home)).toEqual([]);
  });

  test.each([
    ['initialize', 2, 'turn_setup_failed', /no prompt/],
    ['interrupt', 2, 'turn_setup_failed', /no prompt/],
  ])('a program that only asks (%s) and then ends leaves no session', async (subtype, code, reason, says) => {
    const world = await makeWorld([{ text: 'x' }]);
    const ask = { type: 'control_request', request_id: '1', request: { subtype } };
    const ended = await world.ask(BOTH, `${JSON.stringify(ask)}\n`);
    expect(ended.code).toBe(code);
    expect(typesOf(linesOf(ended))).toEqual(['system', 'control_response', 'result']);
    const told = { session_id: null, terminal_reason: reason, result: expect.stringMatching(says) };
    expect(linesOf(ended).at(-1)).toMatchObject(told);
    expect(sessionsOf(world.home)).toEqual([]);
  });

  test('a signal ends the waiting for the next line', async () => {
    const world = await makeWorld([{ text: 'One.' }]);
    const running = world.open(BOTH);
    running.child.stdin?.write(`\n \n${userLine('a')}`);
    await until(() => (results(running) === 1 ? true : undefined), 'the first result');
    running.child.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended.code).toBe(143);
    expect(typesOf(linesOf(ended))).toEqual(['system', 'assistant', 'result', 'result']);
    expect(linesOf(ended).at(-1)).toMatchObject({
      is_error: true,
      terminal_reason: expect.stringMatching(/^aborted_/),
    });
  });

  test('requests on the side are answered at once: an interrupt stops that prompt only, what is unknown is refused', async () => {
    const world = await makeWorld([{ text: 'x', delayMs: 600_000 }]);
    const running = world.open(BOTH);
    const ask = (id: string, request: Fields): void =>
      void running.child.stdin?.write(`${JSON.stringify({ type: 'control_request', request_id: id, request })}\n`);
    ask('1', { subtype: 'initialize' });
    ask('2', { subtype: 'nosuch' });
    ask('3', { subtype: 'set_model', model: 'claude-opus-4-1' });
    ask('thinking', { subtype: 'set_max_thinking_tokens', max_thinking_tokens: 20_000 });
    ask('window', { subtype: 'get_context_usage' });
    ask('servers', { subtype: 'mcp_status' });
    running.child.stdin?.write(userLine('a'));
    await until(() => (world.requests().length > 0 ? true : undefined), 'a request to the model');
    ask('4', { subtype: 'interrupt' });
    await until(() => (results(running) === 1 ? true : undefined), 'the result of the stopped prompt');
    expect(running.child.exitCode).toBeNull();
    running.child.stdin?.end();
    const ended = await running.ended;
    expect(ended.code).toBe(0);
    const responses = linesOf(ended).flatMap((line) => (line['type'] === 'control_response' ? [line['response']] : []));
    // No skill, no command of a folder: those that are answered without the model.
    const OWN = ['clear', 'compact', 'context', 'cost', 'model'].map((name) => expect.objectContaining({ name }));
    expect(responses).toMatchObject([
      { subtype: 'success', request_id: '1', response: { commands: OWN, output_style: 'default' } },
      { subtype: 'error', request_id: '2', error: expect.stringMatching(/nosuch/) },
      { subtype: 'success', request_id: '3' },
      { subtype: 'success', request_id: 'thinking' },
      { subtype: 'success', request_id: 'window', response: { totalTokens: 0, percentage: 0, maxTokens: 200_000 } },
      { subtype: 'success', request_id: 'servers', response: { mcpServers: [] } },
      { subtype: 'success', request_id: '4' },
    ]);
    expect(world.requests()[0]?.body).toMatchObject({ model: 'claude-opus-4-1', thinking: { budget_tokens: 16_384 } });
    expect(linesOf(ended).at(-1)).toMatchObject({
      type: 'result',
      terminal_reason: expect.stringMatching(/^aborted_/),
      is_error: false,
    });
  });
});

describe('what the lines tell', () => {
  test('the first names every tool that the model is offered', async () => {
    const world = await makeWorld([{ text: 'x' }]);
    const [init] = linesOf(await world.ask(['-p', 'a', ...LINES]));
    const body = world.requests()[0]?.body as { readonly tools: ReadonlyArray<Fields> } | undefined;
    expect(init?.['tools']).toEqual(body?.tools.map(({ name }) => name));
    expect(init?.['tools']).toEqual(expect.arrayContaining(['spawn_agent', 'send_input', 'wait', 'close_agent']));
  });

  test('a line of a subagent names the call that started it, and an image that a tool read is there', async () => {
    const spawn = { name: 'spawn_agent', args: { id: 'helper', instruction: 'Look at it.' }, id: 'toolu_spawn' };
    const world = await makeWorld([
      { toolCalls: [{ use: 'read', path: 'dot.png' }] },
      { toolCalls: [spawn] },
      { toolCalls: [{ name: 'wait', args: { id: 'helper' } }] },
      { text: 'Seen.' },
    ]);
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    writeFileSync(path.join(world.folder, 'dot.png'), Buffer.from(dot, 'base64'));
    const lines = linesOf(await world.ask(['-p', 'a', ...LINES]));
    expect(lines.at(-1)).toMatchObject({ subtype: 'success', result: 'Seen.' });
    const parents = lines.flatMap(({ parent_tool_use_id: id }) => (typeof id === 'string' ? [id] : []));
    expect(new Set(parents)).toEqual(new Set(['toolu_spawn']));
    expect(lines.find(({ type }) => type === 'user')).toMatchObject({
      message: {
        content: [{ type: 'tool_result', content: [{ type: 'text' }, { type: 'image', source: { data: dot } }] }],
      },
    });
  });

  test('an answer that was cut off says so, and time with the model is not all of the time', async () => {
    const world = await makeWorld([
      { toolCalls: [{ use: 'shell', command: 'sleep 0.3' }] },
      { text: 'And th', finish: 'length' },
    ]);
    const lines = linesOf(await world.ask(['-p', 'a', ...LINES, '--allowed-tools', 'Bash']));
    expect(lines.findLast(({ type }) => type === 'assistant')).toMatchObject({
      message: { stop_reason: 'max_tokens' },
    });
    const result = lines.at(-1);
    expect(result).toMatchObject({ type: 'result', subtype: 'success', stop_reason: 'max_tokens' });
    expect(Number(result?.['duration_ms']) - Number(result?.['duration_api_ms'])).toBeGreaterThan(250);
    expect(result?.['modelUsage']).toMatchObject({
      'claude-sonnet-4-5-20250929': { inputTokens: expect.any(Number), costUSD: result?.['total_cost_usd'] },
    });
  });

  test('what can not be held is said: a budget without a price, a field that nothing knows', async () => {
    const world = await makeWorld([{ text: 'x', repeat: 'forever' }]);
    const flags = ['--model', 'claude-nosuch', '--max-budget-usd', '1', '--config', '{"maxTurn":1}'];
    const ended = await world.ask(['-p', 'a', ...flags]);
    expect(ended).toMatchObject({ code: 0, stdout: 'x\n' });
    expect(ended.stderr).toMatch(/no session has a field maxTurn.*\n.*no price of claude-nosuch is known/);
    const rules = ['--tools', 'Read,Reed', '--disallowed-tools', 'Wriet', 'mcp__any'];
    expect((await world.ask(['-p', 'a', ...rules])).stderr.trim().split('\n')).toEqual([
      'attractor: --tools: there is no tool Reed here.',
      'attractor: --disallowed-tools: "Wriet" does nothing: there is no tool Wriet; did you mean Write?',
    ]);
  });
});

test('a journal that can not be written any further ends the run and says so; what was written is gone on with', async () => {
  const world = await makeWorld([{ repeat: 'forever', toolCalls: [{ use: 'read', path: 'notes.txt' }] }]);
  const flags = ['--output-format', 'json', '--config', '{"loopDetectionWindow":0}', '--max-turns'];
  const ended = await runAttractor(world.args('-p', 'Go.', ...flags, '400'), {
    home: world.home,
    cwd: world.folder,
    env: { ANTHROPIC_API_KEY: 'none' },
    // No file may grow beyond 30 KiB: a full disk, for the journal alone.
    through: ['/bin/bash', '-c', `trap '' XFSZ; ulimit -f 30; exec "$@"`, 'bash'],
  });
  expect(ended.code).toBe(1);
  expect(linesOf(ended).at(-1)).toMatchObject({ subtype: 'error_during_execution', terminal_reason: 'model_error' });
  expect(linesOf(ended).at(-1)?.['result']).toMatch(/The journal .* can't be written/);
  const next = linesOf(await world.ask(['-p', 'Go on.', '--continue', ...flags, '1'])).at(-1);
  expect(next).toMatchObject({ subtype: 'error_max_turns', session_id: linesOf(ended).at(-1)?.['session_id'] });
});

describe('attractor resume', () => {
  test('finishes what a run that died left, without doing anything twice; then there is nothing left', async () => {
    const world = await makeWorld([
      { toolCalls: [{ use: 'shell', command: 'echo once >> done; sleep 60' }] },
      { expect: { toolResult: 'interrupted' }, text: 'It was interrupted.' },
      { text: 'More.' },
    ]);
    const running = world.open(['-p', 'Go.', '--session-id', 'ses_left', '--allowed-tools', 'Bash', ...LINES]);
    const done = path.join(world.folder, 'done');
    await until(() => (existsSync(done) ? true : undefined), 'the effect of the command');
    running.child.kill('SIGKILL');
    await running.ended;
    const resume = (...args: ReadonlyArray<string>) => world.ask(['resume', ...args, '--output-format', 'json'], '');
    expect(linesOf(await resume()).at(-1)).toMatchObject({ subtype: 'success', result: 'It was interrupted.' });
    expect(readFileSync(done, 'utf8')).toBe('once\n');
    const nothing = await resume('ses_left');
    expect(nothing.code).toBe(4);
    expect(linesOf(nothing).at(-1)).toMatchObject({ is_error: true, session_id: 'ses_left', num_turns: 0 });
    expect(linesOf(await resume('ses_left', 'More?')).at(-1)).toMatchObject({ result: 'More.', num_turns: 1 });
    const none = await resume('ses_none');
    expect(none.code).toBe(3);
    expect(linesOf(none).at(-1)).toMatchObject({ type: 'result', is_error: true });
  });
});

test('nobody else can look into what a run leaves in the home folder', async () => {
  const world = await makeWorld([{ text: 'x' }]);
  expect(await world.ask(['-p', 'a'])).toMatchObject({ code: 0 });
  const home = path.join(world.home, '.attractor');
  const modes = readdirSync(home).map((name) => [name, statSync(path.join(home, name)).mode & 0o077]);
  expect(statSync(home).mode & 0o777).toBe(0o700);
  expect(modes).toEqual(modes.map(([name]) => [name, 0]));
});

describe('flags of a run', () => {
  test('--max-turns counts the answers of this run, not those of the runs before it', async () => {
    const world = await makeWorld([{ repeat: 'forever', toolCalls: [{ use: 'read', path: 'notes.txt' }] }]);
    const flags = ['--max-turns', '2', '--output-format', 'json'];
    for (const further of [[], ['--continue']]) {
      const ended = await world.ask(['-p', 'Go.', ...flags, ...further]);
      expect(linesOf(ended).at(-1)).toMatchObject({ subtype: 'error_max_turns', num_turns: 2 });
    }
  });

  test('a session goes on with the model that it had, unless another is named, and is listed with its provider', async () => {
    const world = await makeWorld([{ repeat: 'forever', text: 'x' }], 'openai');
    expect(await world.ask(['-p', 'a', '--model', 'gpt-5-mini'])).toMatchObject({ code: 0 });
    const asked = world.args().filter((argument) => !['--provider', 'openai', '--model', 'gpt-5'].includes(argument));
    // Another provider is the first one here.
    const env = { ANTHROPIC_API_KEY: 'none', OPENAI_API_KEY: 'none' };
    const go = (...flags: ReadonlyArray<string>) =>
      runAttractor([...flags, ...asked], { home: world.home, cwd: world.folder, env });
    expect(await go('-p', 'b', '--continue')).toMatchObject({ code: 0 });
    expect(await go('-p', 'c', '--continue', '--provider', 'openai', '--model', 'gpt-5')).toMatchObject({ code: 0 });
    const models = world.requests().map(({ body }) => (body as Fields)['model']);
    expect(models).toEqual(['gpt-5-mini', 'gpt-5-mini', 'gpt-5']);
    const listed = await runAttractor(['sessions', 'list', '--json'], { home: world.home });
    expect(linesOf(listed)).toMatchObject([{ provider: 'openai', model: 'gpt-5' }]);
  });

  test('answers that were of no use are paid for: in the result, and in the list of sessions', async () => {
    // First out of tokens before it says anything, then after it did.
    const turn = { text: 'Done.', finish: 'length', fault: { kind: 'empty', times: 1 } };
    const world = await makeWorld([{ ...turn, usage: { input: 1_000, output: 500 } }]);
    const [result] = linesOf(await world.ask(['-p', 'Go.', '--output-format', 'json']));
    expect(result).toMatchObject({ result: 'Done.', usage: { input_tokens: 2_000, output_tokens: 500 } });
    expect(result?.['total_cost_usd']).toBeCloseTo(0.0135);
    const [listed] = linesOf(await runAttractor(['sessions', 'list', '--json'], { home: world.home }));
    expect(listed).toMatchObject({
      usage: { inputTokens: 2_000, outputTokens: 500 },
      cost: result?.['total_cost_usd'],
    });
  });

  test('--session-id names a fork too', async () => {
    const world = await makeWorld([{ text: 'One.' }, { text: 'Two.' }]);
    await world.ask(['-p', 'a', '--session-id', 'ses_first']);
    const fork = ['--resume', 'ses_first', '--fork-session', '--session-id', 'ses_second'];
    const ended = await world.ask(['-p', 'b', '--output-format', 'json', ...fork]);
    expect(linesOf(ended).at(-1)).toMatchObject({ session_id: 'ses_second', result: 'Two.' });
    expect(await world.ask(['-p', '--resume', 'ses_first', '--fork-session'], ' ')).toMatchObject({ code: 2 });
    expect(sessionsOf(world.home).toSorted()).toEqual(['ses_first', 'ses_second']);
  });

  test('--json-schema takes values that are no objects', async () => {
    const give = (answer: unknown) => ({ toolCalls: [{ name: 'structured_output', args: { answer } }] });
    const world = await makeWorld([give('red'), give(['red', 'blue']), { text: 'Said.' }]);
    const schema = JSON.stringify({
      $defs: { name: { type: 'string' } },
      type: 'array',
      items: { $ref: '#/$defs/name' },
    });
    const ended = await world.ask(['-p', 'Which?', '--json-schema', schema, '--output-format', 'json']);
    expect(linesOf(ended).at(-1)).toMatchObject({ subtype: 'success', structured_output: ['red', 'blue'] });
  });
});
