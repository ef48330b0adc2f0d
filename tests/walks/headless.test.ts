import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runAttractor, startAttractor, until } from './attractor.ts';
import { type Fields, linesOf, makeWorld } from './headless-world.ts';

describe('attractor -p', () => {
  test('prints the final text alone, and leaves nothing in the folder but what tools wrote', async () => {
    const world = await makeWorld([
      { toolCalls: [{ use: 'read', path: 'notes.txt' }] },
      { expect: { toolResult: 'two' }, text: 'Two lines.' },
    ]);
    const { home, folder: cwd } = world;
    const ended = await runAttractor(world.args('-p', 'How many lines?'), {
      home,
      cwd,
      env: { ANTHROPIC_API_KEY: 'none' },
    });
    expect(ended).toMatchObject({ code: 0, stdout: 'Two lines.\n', stderr: '' });
    expect(readdirSync(world.folder)).toEqual(['notes.txt']);
  });

  test.each(['anthropic', 'openai', 'gemini'] as const)(
    'stream-json tells every step on %s, and ends with the result',
    async (provider) => {
      const world = await makeWorld(
        [{ text: 'Reading.', toolCalls: [{ use: 'read', path: 'notes.txt' }] }, { text: 'Done.' }],
        provider,
      );
      const ended = await world.ask(['-p', 'Read it.', '--output-format', 'stream-json']);
      const lines = linesOf(ended);
      expect(lines.map((line) => line['type'])).toEqual(['system', 'assistant', 'user', 'assistant', 'result']);
      expect(lines[0]).toMatchObject({ subtype: 'init', cwd: world.folder, permissionMode: 'default' });
      expect(lines.at(-1)).toMatchObject({ subtype: 'success', is_error: false, result: 'Done.', num_turns: 2 });
      expect(lines.at(-1)?.['total_cost_usd']).toBeGreaterThan(0);
      expect(ended.code).toBe(0);
    },
  );

  test('what is not allowed beforehand is denied and told to the model; what is allowed runs', async () => {
    const turns = [{ toolCalls: [{ use: 'write', path: 'new.txt', content: 'hello\n' }] }, { text: 'Done.' }];
    const denied = await makeWorld([turns[0], { expect: { toolResult: 'Denied' }, text: 'Could not.' }]);
    const refusal = linesOf(await denied.ask(['-p', 'Write.', '--output-format', 'json'])).at(-1);
    expect(refusal).toMatchObject({ result: 'Could not.', permission_denials: [{ tool_name: 'write_file' }] });
    const allowed = await makeWorld(turns);
    expect(await allowed.ask(['-p', 'Write.', '--permission-mode', 'acceptEdits'])).toMatchObject({ code: 0 });
    expect(readFileSync(path.join(allowed.folder, 'new.txt'), 'utf8')).toBe('hello\n');
  });

  test('rules with patterns decide: what they allow runs, what they deny does not, and what only reads needs none', async () => {
    const commands = ['ls', 'touch one', 'touch two', 'mkdir three'];
    const turns = [...commands.map((command) => ({ toolCalls: [{ use: 'shell', command }] })), { text: 'Done.' }];
    const rules = ['--allowed-tools', 'Bash(touch *),Read', '--disallowedTools', 'Bash(touch two)'];
    const world = await makeWorld(turns);
    const lines = linesOf(await world.ask(['-p', 'Go.', '--output-format', 'stream-json', ...rules]));
    expect(readdirSync(world.folder)).toContain('one');
    expect(readdirSync(world.folder)).not.toContain('two');
    expect(lines.at(-1)).toMatchObject({
      result: 'Done.',
      permission_denials: [{ tool_input: { command: 'touch two' } }, { tool_input: { command: 'mkdir three' } }],
    });
    const told = lines.filter((line) => line['subtype'] === 'permission_denied').map((line) => line['message']);
    expect(told[0]).toBe('denied by the deny rule Bash(touch two) of --disallowed-tools');
    expect(told[1]).toMatch(/nobody can be asked here/);
  });

  test("rules of a person's own settings hold, and settings that are not understood end the run", async () => {
    const call = { toolCalls: [{ use: 'shell', command: 'touch one' }] };
    const world = await makeWorld([call, { text: 'Done.' }, { text: 'Hm.' }]);
    mkdirSync(path.join(world.home, '.claude'));
    const settle = (permissions: object): void =>
      writeFileSync(path.join(world.home, '.claude/settings.json'), JSON.stringify({ permissions }, null, 2));
    settle({ allow: ['Bash(touch one)'] });
    expect(await world.ask(['-p', 'Go.'])).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(readdirSync(world.folder)).toContain('one');
    settle({ deny: ['Bash'], defaultMode: 'plan' });
    const [init] = linesOf(await world.ask(['-p', 'Go.', '--output-format', 'stream-json']));
    expect(init).toMatchObject({ permissionMode: 'plan' });
    expect(init?.['tools']).not.toContain('shell');
    expect(init?.['tools']).not.toContain('Bash');
    settle({ deny: ['Bash('] });
    const ended = await world.ask(['-p', 'Go.']);
    expect(ended).toMatchObject({ code: 4, stdout: '' });
    expect(ended.stderr).toMatch(/settings\.json:4: The rule "Bash\(" is not understood/);
  });

  test('the fallback model of a setting is asked while the first one is overloaded', async () => {
    const world = await makeWorld([{ text: 'Second.', fault: { kind: 'overloaded', at: 'status' } }]);
    mkdirSync(path.join(world.home, '.claude'));
    writeFileSync(path.join(world.home, '.claude/settings.json'), '{"fallbackModel":"claude-opus-4-1"}');
    expect(await world.ask(['-p', 'Go.', '--max-retries', '0'])).toMatchObject({ code: 0, stdout: 'Second.\n' });
    expect(world.requests().map(({ body }) => Object(body).model)).toEqual([
      'claude-sonnet-4-5-20250929',
      'claude-opus-4-1',
    ]);
  });

  test('who reads text is told once that a service is waited for', async () => {
    const fault = { kind: 'overloaded', at: 'status', times: 3 };
    const world = await makeWorld([{ text: 'After all.', fault }]);
    const ended = await world.ask(['-p', 'Go.', '--max-retries', '1']);
    expect(ended).toMatchObject({ code: 0, stdout: 'After all.\n' });
    expect(ended.stderr.match(/overloaded \(529\).*asked again until it answers.*Ctrl-C/g)).toHaveLength(1);
  });

  test('the prompt may come on stdin, and several as stream-json', async () => {
    const world = await makeWorld([{ text: 'First.' }, { text: 'Second.' }]);
    expect(await world.ask(['-p'], 'one prompt')).toMatchObject({ code: 0, stdout: 'First.\n' });
    const two = ['a', 'b']
      .map((content) => JSON.stringify({ type: 'user', message: { role: 'user', content } }))
      .join('\n');
    const ended = await world.ask(['-p', '--input-format', 'stream-json', '--output-format', 'json'], two);
    expect(linesOf(ended)).toEqual([expect.objectContaining({ type: 'result', result: 'Second.', num_turns: 2 })]);
  });

  test('--resume and --continue go on with a byte-identical prefix; --fork-session leaves the original alone', async () => {
    const world = await makeWorld([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
    const first = linesOf(await world.ask(['-p', 'a', '--output-format', 'json'])).at(-1);
    const id = String(first?.['session_id']);
    expect(await world.ask(['-p', 'b', '--resume', id])).toMatchObject({ code: 0, stdout: 'Two.\n' });
    const forked = linesOf(await world.ask(['-p', 'c', '--continue', '--fork-session', '--output-format', 'json'])).at(
      -1,
    );
    expect(forked).toMatchObject({ result: 'Three.' });
    expect(forked?.['session_id']).not.toBe(id);
    expect(await world.ask(['-p', 'd', '--resume', id])).toMatchObject({ code: 0, stdout: 'Three.\n' });
    const bodies = world.requests().map((request) => withoutMarks(request.body));
    const prefix = JSON.stringify(bodies[0]?.['messages']).slice(0, -1);
    expect(JSON.stringify(bodies[1]?.['messages']).startsWith(prefix)).toBe(true);
    expect(bodies[1]?.['system']).toEqual(bodies[0]?.['system']);
  });

  test('limits end with their own result line and exit code 1', async () => {
    const world = await makeWorld([{ repeat: 'forever', toolCalls: [{ use: 'read', path: 'notes.txt' }] }]);
    const turns = await world.ask(['-p', 'Go.', '--max-turns', '3', '--output-format', 'json']);
    expect(turns.code).toBe(1);
    expect(linesOf(turns).at(-1)).toMatchObject({ subtype: 'error_max_turns', is_error: true, num_turns: 3 });
    const budget = await world.ask([
      '-p',
      'Go.',
      '--max-budget-usd',
      '0.02',
      '--output-format',
      'json',
      '--config',
      '{"loopDetectionWindow":0}',
    ]);
    expect(budget.code).toBe(1);
    expect(linesOf(budget).at(-1)).toMatchObject({ subtype: 'error_max_budget_usd' });
  });

  test('no answer is an error: the model said nothing, or its service ended what it said', async () => {
    const world = await makeWorld([
      { text: 'I began', finish: 'content_filter' },
      { text: 'Better.' },
      { text: '', repeat: 'forever' },
    ]);
    const filtered = await world.ask(['-p', 'Go.', '--output-format', 'json']);
    expect(filtered).toMatchObject({ code: 1, stderr: '' });
    expect(linesOf(filtered).at(-1)).toMatchObject({
      is_error: true,
      result: "The provider's content filter ended the answer.",
      stop_reason: 'refusal',
      terminal_reason: 'model_error',
    });
    expect(await world.ask(['-p', 'Again.', '--continue'])).toMatchObject({ code: 0, stdout: 'Better.\n' });
    expect(await world.ask(['-p', 'Again.', '--continue'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'attractor: Nothing to act on: the model gave an empty answer, 3 times.\n',
    });
  });

  test('--json-schema gives a value that fits, after a reminder if need be', async () => {
    const call = (args: unknown) => ({ toolCalls: [{ name: 'structured_output', args }] });
    const world = await makeWorld([
      { text: 'It is 4.' },
      call({ answer: 'four' }),
      call({ answer: 4 }),
      { text: 'Said.' },
    ]);
    const schema = JSON.stringify({ type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] });
    const ended = await world.ask(['-p', '2+2?', '--json-schema', schema, '--output-format', 'json']);
    expect(linesOf(ended).at(-1)).toMatchObject({ subtype: 'success', structured_output: { answer: 4 } });
  });

  test('an interrupt ends in order, with a result line and exit code 130', async () => {
    const world = await makeWorld([{ toolCalls: [{ use: 'shell', command: 'sleep 60' }] }]);
    const running = startAttractor(
      world.args('-p', 'Wait.', '--output-format', 'stream-json', '--allowed-tools', 'Bash'),
      { home: world.home, cwd: world.folder, env: { ANTHROPIC_API_KEY: 'none' } },
    );
    await until(() => (running.output().includes('tool_use') ? true : undefined), 'the tool call');
    running.child.kill('SIGINT');
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    expect(linesOf(ended).at(-1)).toMatchObject({
      type: 'result',
      is_error: true,
      terminal_reason: expect.stringMatching(/^aborted_/),
    });
  });

  test('bad input gets one clear line', async () => {
    const world = await makeWorld([{ text: 'x' }]);
    for (const [flags, code, says] of [
      [['-p', 'x', '--resume', 'ses_none'], 3, /no session/],
      [['-p', 'x', '--continue'], 3, /no session of/],
      [['-p', 'x', '--config', '{'], 2, /not valid JSON/],
      [
        ['-p', 'x', '--allowed-tools', 'Bash()'],
        2,
        /--allowed-tools: The rule "Bash\(\)" is not understood: .*expected/,
      ],
      [['-p', 'x', '--disallowed-tools', 'bash'], 2, /expected Bash/],
      [['-p', 'x', '--permission-mode', 'yolo'], 2, /expected one of default, acceptEdits/],
      [['-p', 'x', '--cwd', '/nowhere'], 3, /not a folder/],
      [['-p'], 2, /no prompt/],
    ] as const) {
      const ended = await world.ask(flags);
      expect(ended).toMatchObject({ code, stdout: '' });
      expect(ended.stderr).toMatch(says);
      expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    }
  });
});

function withoutMarks(body: unknown): Fields {
  return JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'cache_control' ? undefined : value)),
  ) as Fields;
}
