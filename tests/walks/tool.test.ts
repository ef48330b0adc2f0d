import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { mostlyHere } from './attractor-here.ts';
import { type Ended, makeFolder, runAttractor, startAttractor, until } from './attractor.ts';

const attractor = mostlyHere(['tool', 'debug']);

describe('attractor tool', () => {
  it.each([
    ['read_file', { file_path: 'a.txt', offset: 1, limit: 1 }, '     2\ttwo'],
    ['write_file', { file_path: 'new/b.txt', content: 'x' }, 'Wrote 1 bytes to new/b.txt'],
    ['grep', { pattern: 'TWO', case_sensitive: false }, 'a.txt:2:two'],
    ['glob', { pattern: '*.txt' }, 'a.txt'],
    ['list_dir', { path: '.' }, 'a.txt (14 bytes)'],
    ['Read', { file_path: 'a.txt', limit: 1 }, '     1\tone'],
    ['todo_write', { todos: [{ content: 'x', status: 'pending' }] }, 'The list was taken.\n[ ] x'],
  ])('runs %s and answers with one line', async (name, args, output) => {
    const folder = sample();
    const { code, stdout, stderr } = await tool([name, '--cwd', folder], JSON.stringify(args));
    expect(stdout).toBe(`${JSON.stringify({ output, is_error: false })}\n`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });

  it('edits, patches and runs commands', async () => {
    const folder = sample();
    const edit = { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' };
    expect((await tool(['edit_file', '--cwd', folder], JSON.stringify(edit))).code).toBe(0);
    const patch = '*** Begin Patch\n*** Update File: a.txt\n@@\n-one\n+ONE\n*** End Patch\n';
    expect((await tool(['apply_patch', '--cwd', folder, '--confine'], JSON.stringify({ patch }))).code).toBe(0);
    expect(readFileSync(path.join(folder, 'a.txt'), 'utf8')).toBe('ONE\nTWO\nthree\n');
    const shell = await tool(['shell', '--cwd', folder], JSON.stringify({ command: 'pwd; cat; exit 3' }));
    expect(JSON.parse(shell.stdout)).toMatchObject({
      is_error: false,
      output: expect.stringMatching(`^${folder}\n\\[exit code 3`),
    });
  });

  it('has the tools for notebooks, several edits, several files and the web', async () => {
    const folder = sample();
    writeFileSync(
      path.join(folder, 'n.ipynb'),
      JSON.stringify({ cells: [], metadata: {}, nbformat: 4, nbformat_minor: 5 }),
    );
    const calls = [
      [
        'multi_edit',
        {
          file_path: 'a.txt',
          edits: [
            { old_string: 'one', new_string: '1' },
            { old_string: 'two', new_string: '2' },
          ],
        },
      ],
      ['notebook_edit', { notebook_path: 'n.ipynb', edit_mode: 'insert', cell_type: 'code', new_source: 'y = 3' }],
      ['NotebookRead', { notebook_path: 'n.ipynb' }],
      ['read_many_files', { paths: ['*.txt'] }],
      ['web_fetch', { url: 'http://127.0.0.1/' }],
      ['web_search', { query: 'anything' }],
    ] as const;
    const outputs: string[] = [];
    for (const [name, args] of calls)
      outputs.push(String(JSON.parse((await tool([name, '--cwd', folder], JSON.stringify(args))).stdout).output));
    expect(outputs[2]).toContain('y = 3');
    expect(outputs[3]).toMatch(/1\n[^]*2\n/);
    expect(outputs[4]).toContain('not on the open internet');
    expect(outputs[5]).toContain('No search service is configured');
  });

  it.each([
    ['a path outside', 'read_file', '{"file_path":"../x"}', 'outside the working directory'],
    ['an unknown tool', 'fly', '{}', 'Unknown tool: fly'],
    ['arguments that are not JSON', 'read_file', '{"file_path":', 'Invalid arguments for read_file'],
    ['arguments that are no object', 'read_file', '["a.txt"]', 'expected one JSON object'],
    ['a missing argument', 'read_file', '{}', 'file_path'],
    ['no arguments', 'read_file', '', 'Invalid arguments'],
    ['a file that is not there', 'read_file', '{"file_path":"gone"}', 'does not exist'],
  ])('answers %s with an error and exit 1', async (_, name, input, hint) => {
    const { code, stdout } = await tool([name, '--cwd', sample()], input);
    expect(JSON.parse(stdout)).toEqual({ output: expect.stringContaining(hint), is_error: true });
    expect(code).toBe(1);
  });

  it('refuses the secrets of the home folder, and our own, as a sandbox hides them; on any machine', async () => {
    const home = makeFolder();
    const files = ['.ssh/id_rsa', '.aws/credentials', '.bash_history', '.attractor/config.json', 'plain/a.txt'];
    for (const file of files) {
      mkdirSync(path.dirname(path.join(home, file)), { recursive: true });
      writeFileSync(path.join(home, file), '{"canary":1}\n');
    }
    const here = async (name: string, args: object) => {
      const { stdout } = await attractor(['tool', name, '--cwd', home], { home, stdin: JSON.stringify(args) });
      return JSON.parse(stdout) as { readonly output: string; readonly is_error: boolean };
    };
    const answers = await Promise.all(files.map((file) => here('read_file', { file_path: file })));
    expect(answers.map(({ is_error: isError }) => isError)).toEqual([true, true, true, true, false]);
    expect(answers[0]?.output).toContain('holds secrets');
    expect((await here('write_file', { file_path: '.ssh/authorized_keys', content: 'x' })).is_error).toBe(true);
    expect((await here('grep', { pattern: 'canary' })).output).toBe('plain/a.txt:1:{"canary":1}');
  });

  it('answers a folder that is not there with an error', async () => {
    const { code, stdout } = await tool(['list_dir', '--cwd', path.join(sample(), 'gone')], '{"path":"."}');
    expect([code, JSON.parse(stdout).is_error]).toEqual([1, true]);
  });

  it('shows what a model sees and the whole beside it, by the limits given', async () => {
    const config = JSON.stringify({ toolOutputLimits: { read_file: 10 }, model: 'any' });
    const { stdout } = await tool(['read_file', '--cwd', sample(), '--config', config], '{"file_path":"a.txt"}');
    const answer = JSON.parse(stdout);
    expect(answer.output).toContain('[WARNING: Tool output was truncated. ');
    expect(answer.full_output).toBe('     1\tone\n     2\ttwo\n     3\tthree');
  });

  it('takes the time limit of the call, then of the session, then of the profile', async () => {
    const folder = sample();
    const run = async (flags: ReadonlyArray<string>, args: object): Promise<string> =>
      JSON.parse((await tool(['shell', '--cwd', folder, ...flags], JSON.stringify(args))).stdout).output;
    const session = ['--profile', 'anthropic', '--config', '{"defaultCommandTimeout":200}'];
    const [call, bySession, byProfile] = await Promise.all([
      run(session, { command: 'sleep 0.4; echo through', timeout_ms: 20_000 }),
      run(session, { command: 'sleep 30' }),
      run(['--profile', 'anthropic'], { command: 'sleep 0.4; echo through' }),
    ]);
    expect([call, byProfile].map((output) => output.split('\n')[0])).toEqual(['through', 'through']);
    expect(bySession).toContain('timed out after 200 ms');
  });

  it('speaks the names of a profile, and the plain ones there too', async () => {
    const folder = sample();
    const output = async (profile: string, args: object): Promise<string> =>
      JSON.parse((await tool(['read_file', '--cwd', folder, '--profile', profile], JSON.stringify(args))).stdout)
        .output;
    expect(await output('anthropic', { file_path: 'a.txt', offset: 1, limit: 1 })).toBe('     1\tone');
    expect(await output('openai', { file_path: 'a.txt', offset: 1, limit: 1 })).toBe('     1\tone');
    expect(await output('gemini', { path: 'a.txt', offset: 1, limit: 1 })).toBe('     2\ttwo');
    expect(await output('gemini', { file_path: 'a.txt', offset: 1, limit: 1 })).toBe('     2\ttwo');
  });

  it('stops the command and leaves nothing running when it is stopped itself', async () => {
    const folder = sample();
    const stdin = JSON.stringify({ command: 'setsid sleep 300 & echo $! > pid; wait', timeout_ms: 60_000 });
    const running = startAttractor(['tool', 'shell', '--cwd', folder], { home: makeFolder(), stdin });
    const file = path.join(folder, 'pid');
    const pid = await until(() => (existsSync(file) && readFileSync(file, 'utf8').trim()) || undefined, 'the command');
    running.child.kill('SIGTERM');
    const { code, stdout } = await running.ended;
    expect({ code, answer: JSON.parse(stdout) }).toMatchObject({ code: 143, answer: { is_error: true } });
    await until(() => !existsSync(`/proc/${pid}`) || undefined, 'the end of what it started');
  });

  it('finds the packaged ripgrep from the bundle', async () => {
    const stdin = JSON.stringify({ pattern: '(?i)TWO' });
    const { stdout } = await runAttractor(['tool', 'grep', '--cwd', sample()], { home: makeFolder(), stdin });
    expect(JSON.parse(stdout)).toEqual({ output: 'a.txt:2:two', is_error: false });
  });

  it.each([
    [['read_file'], "required option '--cwd <dir>'"],
    [['--cwd', '.'], "missing required argument 'name'"],
    [['read_file', '--cwd', '.', '--profile', 'x'], 'Profiles: anthropic, openai, gemini'],
    [['read_file', '--cwd', '.', '--config', '{'], '--config is not valid JSON'],
    [['read_file', '--cwd', '.', '--config', '{"toolLineLimits":{"shell":-1}}'], 'toolLineLimits must be'],
  ])('%j is wrong usage', async (args, hint) => {
    const { code, stdout, stderr } = await tool(args, '{}');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(hint);
  });
});

describe('attractor debug', () => {
  const debug = (args: ReadonlyArray<string>, stdin: string): Promise<Ended> =>
    attractor(['debug', ...args], { home: makeFolder(), stdin });

  it('truncates as a model would see it', async () => {
    const config = '{"toolOutputLimits":{"shell":10},"toolLineLimits":{"grep":2}}';
    const long = await debug(['truncate', '--tool', 'shell', '--config', config], 'x'.repeat(25));
    expect(long).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^xxxxx\n\n\[WARNING: .* 15 characters .*\]\n\nxxxxx$/),
    });
    const lines = await debug(['truncate', '--tool', 'grep', '--config', config], 'a\nb\nc');
    expect(lines.stdout).toMatch(/^a\n\[WARNING: .* 1 lines .*\]\nc$/);
    expect((await debug(['truncate', '--tool', 'read_file'], 'short')).stdout).toBe('short');
  });

  it('tells whether calls repeat themselves', async () => {
    const calls = (count: number): string =>
      JSON.stringify(Array.from({ length: count }, () => ({ name: 'shell', args: { command: 'ls' } })));
    expect((await debug(['loop', '--window', '10'], calls(10))).stdout).toBe('{"loop":true}\n');
    expect((await debug(['loop', '--window', '10'], calls(2))).stdout).toBe('{"loop":false}\n');
    expect((await debug(['loop', '--window', '0'], calls(10))).stdout).toBe('{"loop":false}\n');
  });

  it.each([
    [['loop', '--window', 'x'], '[]'],
    [['loop', '--window', '10'], '{}'],
    [['loop', '--window', '10'], '[1]'],
    [['truncate'], ''],
  ])('%j with %j is wrong usage', async (args, input) => {
    expect(await debug(args, input)).toMatchObject({ code: 2, stdout: '' });
  });
});

function sample(): string {
  const folder = makeFolder();
  writeFileSync(path.join(folder, 'a.txt'), 'one\ntwo\nthree\n');
  return folder;
}

function tool(args: ReadonlyArray<string>, stdin: string): Promise<Ended> {
  return attractor(['tool', ...args], { home: makeFolder(), stdin });
}
