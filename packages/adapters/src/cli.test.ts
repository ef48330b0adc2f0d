import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundledProgram } from '@attractor/base/testing';
import { createSandbox, findSandbox } from '@attractor/confine';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Agent } from './agent.ts';
import { createCliAgent } from './cli.ts';
import { fillArguments, readCliDefinition } from './cli/definition.ts';
import { createOutputReader } from './cli/read-output.ts';
import { describeAgent } from './testing/agent-contract.ts';
import { makeRun } from './testing/world.ts';

const CHILD = bundledProgram(join(import.meta.dirname, 'test-support/cli-agent-child.ts'));
const LINES = [
  { kind: 'text', when: { type: 'say' }, text: 'message.text' },
  { kind: 'tool_call', when: { type: 'tool' }, toolCallId: 'id', toolName: 'name', input: 'arguments' },
  { kind: 'tool_result', when: { type: 'tool_done' }, toolCallId: 'id', toolName: 'name', output: 'result' },
  {
    kind: 'usage',
    when: { type: 'cost' },
    inputTokens: 'tokens.in',
    outputTokens: 'tokens.out',
    costUsd: 'usd',
    model: 'model',
  },
];

function agent(fields: object, env: Readonly<Record<string, string>> = {}): Agent {
  const read = readCliDefinition({ output: 'json-lines', lines: LINES, ...fields });
  if (!read.ok) throw new Error(read.problem);
  const host = { PATH: process.env['PATH'], ...env };
  return createCliAgent({ type: 'sample', definition: read.value, env: host });
}

const child = (behaviour: string, ...more: ReadonlyArray<string>) =>
  agent({ command: [process.execPath, CHILD, behaviour, ...more] });

/** Lines of a shell, as plain text. */
const shell = (script: string, ...args: ReadonlyArray<string>) =>
  agent({ command: ['/bin/sh', '-c', script, 'sh', ...args], output: 'text', lines: [] });

/** Keeps what it was asked and counts its starts. */
const SAYS_BACK = [
  'cat > asked; printf start >> starts',
  `echo '{"type":"say","message":{"text":"I looked."}}'`,
  `echo '{"type":"tool","id":"1","name":"grep","arguments":{"for":"sum"}}'`,
  `echo '{"type":"cost","tokens":{"in":5,"out":1},"usd":0.5,"model":"m"}'`,
].join('\n');

describeAgent('a command', {
  works: async () => child('works'),
  fails: async () => child('fails'),
  hangs: async () => child('hangs'),
  tellsByOutput: true,
});

describe('a command as an agent', () => {
  it('gets the prompt on its input, as an argument or in a file, and never through a shell', async () => {
    const hostile = '$(touch x) {worktree} `id` "quoted" -- \n--flag';
    const byInput = await makeRun({ prompt: hostile });
    const ways = [
      [shell('cat'), byInput],
      [shell('printf %s "$1"', '{prompt}'), await makeRun({ prompt: hostile })],
      [shell('cat "$1"', '{promptFile}'), await makeRun({ prompt: hostile })],
    ] as const;
    for (const [one, { options }] of ways) {
      expect((await one.run(options)).finalText).toBe(hostile);
      expect(readdirSync(options.projectPath).toSorted()).toEqual(['.git', 'greeting.txt']);
      expect(readdirSync(join(options.projectPath, '.git')).filter((name) => name.includes('prompt'))).toEqual([]);
    }
    expect(
      fillArguments(['x', '{prompt}{worktree}'], { prompt: '{worktree}', promptFile: '', worktree: '/w', model: '' }),
    ).toEqual(['x', '{worktree}/w']);
  });

  it('is told by what it says: texts, tools, use and cost, each under a key of its own', async () => {
    const { options, heard } = await makeRun();
    const result = await child('works').run(options);
    expect(result).toMatchObject({
      exitCode: 0,
      finalText: 'Done.\n<<<OUTCOME:pr_ready>>>',
      tokenUsage: { inputTokens: 150, outputTokens: 25, totalCost: 0.75 },
    });
    expect(heard.messages.map(({ kind, key }) => [key, kind])).toEqual([
      ['1:1', 'text'],
      ['1:2', 'tool_call'],
      ['1:3', 'tool_result'],
      ['1:4', 'usage'],
      ['1:5', 'usage'],
      ['1:6', 'notice'],
      ['1:7', 'text'],
    ]);
    expect(heard.deltas[0]).toMatchObject({ kind: 'text_delta' });
  });

  it('is asked once more by another start, which is told what was asked, said and done before', async () => {
    const one = agent({ command: ['/bin/sh', '-c', SAYS_BACK], output: 'json-lines' });
    const run = await makeRun({ prompt: 'Fix the sum.' });
    const first = await one.run(run.options);
    expect(first).toMatchObject({ exitCode: 0, finalText: 'I looked.', tokenUsage: { inputTokens: 5 } });
    const further = { ...run.options, prompt: 'Report now.', inputKey: 'repair:outcome' };
    const second = await one.say?.(further);
    expect(second?.tokenUsage).toMatchObject({ inputTokens: 10 });
    const asked = readFileSync(join(run.options.projectPath, 'asked'), 'utf8');
    expect(asked).toMatch(/^Fix the sum\.\n[^]+> I looked\.\n> \[grep [^]+\n\nReport now\.$/);
    expect(await one.say?.(further)).toEqual(second);
    expect(await one.run(run.options)).toEqual(first);
    expect(new Set(run.heard.messages.map(({ key }) => key)).size).toBe(6);
    expect(readFileSync(join(run.options.projectPath, 'starts'), 'utf8')).toBe('startstart');
  });

  it('that ends badly says how, with its last words and without the secrets that it was given', async () => {
    const { options } = await makeRun();
    const fields = { command: [process.execPath, CHILD, 'fails'], env: ['SECRET_TOKEN'], displayName: 'Sample' };
    const result = await agent(fields, { SECRET_TOKEN: 'correct-horse-battery' }).run(options);
    expect(result).toMatchObject({ exitCode: 3, error: { code: 'exit', retryable: false } });
    expect(result.error?.message).toMatch(/^Sample ended with exit code 3: I can't: \[redacted:/);
    expect(readFileSync(join(options.statePath, 'output-1.log'), 'utf8')).toMatch(/^I can't: \[redacted:/);
    const killed = await shell('kill -9 $$').run((await makeRun()).options);
    expect(killed).toMatchObject({ exitCode: 1, error: { code: 'exit', retryable: true } });
  });

  it('that says at its end that its provider lets it work no more has met a limit, with whatever exit code; one that reports on limits has not', async () => {
    const ended = async (script: string) => (await shell(script).run((await makeRun()).options)).error;
    const limit = { code: 'rate_limit', retryable: true };
    expect(await ended('echo working; echo; echo "Usage limit reached. Resets in 2 hours."; exit 1')).toMatchObject({
      ...limit,
      message: 'Usage limit reached. Resets in 2 hours.',
    });
    expect(await ended('echo "You have hit your limit, resets 3pm"')).toMatchObject(limit);
    expect(await ended('echo "I added a rate limit."; echo "<<<OUTCOME:pr_ready>>>"')).toBeUndefined();
    expect(await ended('echo "rate limit"; echo; echo "All is done."')).toBeUndefined();
    expect(await ended('echo "ERROR: Too Many Requests" >&2; exit 1')).toMatchObject(limit);
    for (const script of [
      'echo "I handle the usage limit reached by resets in 2 hours now. One test fails."; exit 1',
      'echo "Usage limit reached." >&2; echo >&2; echo "TypeError: x is undefined" >&2; exit 1',
      'echo "- rate limit exceeded (3 ms), retry-after: 120" >&2; exit 1',
    ])
      expect(await ended(script)).toMatchObject({ code: 'exit', retryable: false });
  });

  it('has none of the secrets that it was given in what it tells, and in no file that is kept', async () => {
    const secret = 'correct-horse-battery';
    const { options, heard } = await makeRun({ prompt: `Use ${secret}.` });
    const say = `{"type":"say","message":{"text":"it is '"$SECRET_TOKEN"'"}}`;
    const script = `stat -c %a "$1" > mode; echo '${say}'; echo "$SECRET_TOKEN" >&2`;
    const fields = { command: ['/bin/sh', '-c', script, 'sh', '{promptFile}'], env: ['SECRET_TOKEN'] };
    const result = await agent(fields, { SECRET_TOKEN: secret }).run(options);
    expect(readFileSync(join(options.projectPath, 'mode'), 'utf8')).toBe('600\n');
    expect(result.finalText).toMatch(/^it is \[redacted:/);
    const kept = readdirSync(options.statePath).map((name) => readFileSync(join(options.statePath, name), 'utf8'));
    expect(kept.join('\n').match(/\[redacted:/g)?.length).toBeGreaterThan(3);
    expect(JSON.stringify([result, heard.messages, kept])).not.toContain(secret);
  });

  it('sees no variable but the harmless ones and those that it names', async () => {
    const { options } = await makeRun({ env: { PATH: process.env['PATH'] ?? '', HOME: '/nowhere' } });
    const fields = { command: [process.execPath, CHILD, 'env'], env: ['WANTED', 'ABSENT'] };
    const result = await agent(fields, { WANTED: '1', UNWANTED: '2' }).run(options);
    expect(result.finalText.split(' ')).toEqual(['ATTRACTOR_COMMAND', 'HOME', 'PATH', 'WANTED']);
  });

  it('that floods its output is bounded in what is told, kept in a file, and read to its end', async () => {
    const { options, heard } = await makeRun();
    const result = await child('flood').run(options);
    expect(result.finalText).toBe('<<<OUTCOME:pr_ready>>>');
    expect(JSON.stringify(heard.messages).length).toBeLessThan(9 << 20);
    expect(heard.messages.at(-1)).toMatchObject({ kind: 'notice', level: 'warning' });
    expect(statSync(join(options.statePath, 'output-1.log')).size).toBeGreaterThan(11_000_000);
  });

  it('that is stopped leaves nothing running, not even what left its group', async () => {
    const { options } = await makeRun();
    const stop = new AbortController();
    const pids = Promise.withResolvers<ReadonlyArray<number>>();
    const script = 'trap "" TERM; setsid sleep 600 & echo "$$ $!"; echo; sleep 600';
    const running = shell(script).run({
      ...options,
      abortSignal: stop.signal,
      onMessage: (message) => {
        if (message.kind === 'text') pids.resolve(message.text.trim().split(' ').map(Number));
      },
    });
    const found = await pids.promise;
    stop.abort('user_cancelled');
    expect(await running).toMatchObject({ error: { code: 'stopped' } });
    expect(found).toHaveLength(2);
    // Whoever inherits a process that was ended takes a moment to notice.
    for (const pid of found) await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('whose owner was killed is ended, and started anew with a word about it', async () => {
    const { options, heard } = await makeRun();
    const script = `
      import { createCliAgent } from ${JSON.stringify(join(import.meta.dirname, 'cli.ts'))};
      const definition = { command: ['/bin/sh', '-c', 'echo first start; echo; exec sleep 600'], env: [], output: 'text', lines: [] };
      const options = JSON.parse(process.argv[1]);
      createCliAgent({ type: 'x', definition, env: {} }).run({
        ...options,
        abortSignal: new AbortController().signal,
        onMessage: (message) => console.log(JSON.stringify(message)),
        onDelta: () => undefined,
        onPidAssigned: (pid) => console.log(JSON.stringify({ pid })),
      });`;
    const { runId, projectPath, statePath, env, outcomes } = options;
    const given = JSON.stringify({
      runId,
      projectPath,
      statePath,
      env,
      outcomes,
      prompt: 'p',
      config: {},
      readOnly: false,
    });
    const owner = spawn(process.execPath, ['--input-type=module-typescript', '-e', script, given]);
    let text = '';
    owner.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (!text.includes('first start')) await once(owner.stdout, 'data');
    owner.kill('SIGKILL');
    await once(owner, 'exit');
    const pid = Number(/"pid":(\d+)/.exec(text)?.[1]);
    expect(isAlive(pid)).toBe(true);
    const result = await shell('cat').run(options);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(result.finalText).toMatch(/^An earlier attempt at this was cut off[\s\S]*Say good-bye/);
    expect(heard.messages.slice(0, 2)).toMatchObject([
      { key: '1:1', kind: 'text', text: 'first start' },
      { key: '2:1', kind: 'notice', text: expect.stringContaining('still there and was ended') },
    ]);
  });

  it('that was let go of at a shutdown is started anew by the next call', async () => {
    const { options } = await makeRun();
    const stop = new AbortController();
    const hanging = shell('echo begun; echo; exec sleep 600').run({
      ...options,
      abortSignal: stop.signal,
      onMessage: () => stop.abort('shutdown'),
    });
    expect((await hanging).exitCode).not.toBe(0);
    expect((await shell('cat').run(options)).finalText).toContain('cut off');
  });

  it('is found before it is used', async () => {
    const available = (command: ReadonlyArray<string>) => agent({ command }).isAvailable();
    expect(await available(['sh'])).toEqual({ available: true });
    expect(await available(['/no/such/program'])).toMatchObject({ available: false });
    expect(await available(['no-such-program'])).toMatchObject({
      reason: expect.stringContaining('"no-such-program"'),
    });
    const missing = await agent({ command: ['/no/such/program'] }).run((await makeRun()).options);
    expect(missing).toMatchObject({ exitCode: 1, error: { code: 'not_started' } });
  });

  it('only reads where a sandbox holds it to that, or the person gave another command for it', async () => {
    const { options } = await makeRun({ readOnly: true });
    expect(await shell('echo x > y').run(options)).toMatchObject({ error: { code: 'not_read_only' } });
    const reading = agent({ command: ['/bin/false'], readOnlyCommand: ['/bin/echo', 'looked'], output: 'text' });
    expect(await reading.run((await makeRun({ readOnly: true })).options)).toMatchObject({ finalText: 'looked' });
  });
});

const found = await findSandbox({ roots: [] });

describe.runIf(found.available)('a command in a sandbox', () => {
  const inside = async (more: object = {}) => {
    const { options, heard } = await makeRun(more);
    if (!found.available) throw new Error('no sandbox');
    const sandbox = createSandbox({ bubblewrap: found, roots: [options.projectPath] });
    onTestFinished(() => sandbox.close());
    return { options: { ...options, sandbox }, heard };
  };

  it('changes its worktree, can read the prompt in its file, and changes nothing else', async () => {
    const { options } = await inside();
    const outside = join(options.statePath, '../outside');
    const script = `cat "$1"; echo good-bye > greeting.txt; (echo x > ${outside}) 2>/dev/null; true`;
    expect(await shell(script, '{promptFile}').run(options)).toMatchObject({
      exitCode: 0,
      finalText: 'Say good-bye in greeting.txt',
    });
    expect(readFileSync(join(options.projectPath, 'greeting.txt'), 'utf8')).toBe('good-bye\n');
    expect(existsSync(outside)).toBe(false);
  });

  it('changes nothing at all in a run that only reads', async () => {
    const { options } = await inside({ readOnly: true });
    const result = await shell('cat greeting.txt; echo x > greeting.txt').run(options);
    expect(result.finalText).toBe('hello');
    expect(result.exitCode).not.toBe(0);
    expect(readFileSync(join(options.projectPath, 'greeting.txt'), 'utf8')).toBe('hello\n');
  });

  it('is ended when it is stopped', async () => {
    const stop = new AbortController();
    const { options } = await inside({ abortSignal: stop.signal });
    const running = shell('echo begun; echo; exec sleep 600').run({
      ...options,
      onMessage: () => stop.abort('timeout'),
    });
    expect(await running).toMatchObject({ error: { code: 'stopped' } });
  });
});

describe('the definition of a command', () => {
  it.each([
    [{}, '"command"'],
    [{ command: 'aider' }, '"command"'],
    [{ command: [] }, '"command"'],
    [{ command: ['a', 1] }, '"command"'],
    [{ command: ['a'], env: ['A=1'] }, '"env"'],
    [{ command: ['a'], output: 'xml' }, 'text, json-lines'],
    [{ command: ['a'], output: 'json-lines' }, '"lines"'],
    [{ command: ['a'], lines: [{ kind: 'song' }] }, 'lines[0] needs a kind'],
    [{ command: ['a'], lines: [{ kind: 'text', text: 3 }] }, '"text" must be a path'],
    [{ command: ['a'], lines: [{ kind: 'text', when: { a: null } }] }, 'when.a'],
    [{ command: ['a'], readOnlyCommand: 'b' }, '"readOnlyCommand"'],
  ])('%j is refused with what would be right', (value, reason) => {
    const read = readCliDefinition(value);
    expect(read.ok ? '' : read.problem).toContain(reason);
  });
});

describe('the output of a command', () => {
  const readAll = (chunks: ReadonlyArray<Buffer>, output: 'text' | 'json-lines') => {
    const told: unknown[] = [];
    const reader = createOutputReader(
      { output, lines: [{ kind: 'text', when: {}, text: 't' }] },
      { tell: (body) => void told.push(body), live: () => undefined },
    );
    for (const chunk of chunks) reader.push(chunk);
    reader.end();
    return { told, finalText: reader.finalText() };
  };

  it('is the same wherever it is cut, in the middle of a character too', () => {
    const text = Buffer.from('Grüße 🎉\n\nsecond\nline\n\n\n\nthird');
    const lines = Buffer.from('{"t":"Grüße 🎉"}\nnoise\n{"t":"last"}');
    for (const [whole, output] of [
      [text, 'text'],
      [lines, 'json-lines'],
    ] as const) {
      const wanted = readAll([whole], output);
      expect(wanted.told).toHaveLength(3);
      for (let at = 0; at <= whole.length; at += 1)
        expect(readAll([whole.subarray(0, at), whole.subarray(at)], output)).toEqual(wanted);
    }
  });

  it('passes over a line that never ends, and goes on after it', () => {
    const long = Buffer.from('x'.repeat(3 << 20));
    const { told } = readAll([long, long, Buffer.from('\n{"t":"after"}\n')], 'json-lines');
    expect(told).toEqual([{ kind: 'text', text: 'after' }]);
  });
});

function isAlive(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
