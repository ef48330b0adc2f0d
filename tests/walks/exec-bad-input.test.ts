import { chmodSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type HereOptions, mostlyHere } from './attractor-here.ts';
import { ANYWHERE, type Ended, makeFolder, runAttractor, startAttractor } from './attractor.ts';
import { makeExecWorld } from './exec-world.ts';

const attractor = mostlyHere(['exec']);

/** Root may write anywhere; permission faults are real only for someone else. */
const NOBODY = ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];

const AGENT = '# Developer\n\nYou work.\n';
const KEY = { ANTHROPIC_API_KEY: 'none' };

type Place = { readonly home: string; readonly workspace: string };

function makePlace(files: Readonly<Record<string, string>> = { 'dev.md': AGENT }): Place {
  const home = makeFolder();
  const workspace = path.join(home, 'workspace');
  mkdirSync(workspace);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home, name), text);
  return { home, workspace };
}

function expectOneClearLine(ended: Ended, code: number, says: RegExp): void {
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(ended.stderr).not.toMatch(/\n\s+at |node:internal|this is a bug/);
  expect(ended).toMatchObject({ code, stdout: '' });
}

type Row = readonly [
  what: string,
  args: ReadonlyArray<string>,
  code: number,
  says: RegExp,
  options?: Partial<HereOptions> & { readonly files?: Readonly<Record<string, string>> },
];

const ROWS: ReadonlyArray<Row> = [
  ['no arguments', [], 2, /missing required argument 'agent_spec'/],
  ['no workspace', ['dev.md'], 2, /missing required argument 'workspace_root'/],
  ['an unknown flag', ['dev.md', 'workspace', '--provder=x'], 2, /unknown option '--provder=x'/],
  ['an unknown door', ['dev.md', 'workspace', '--tools=http'], 2, /--tools.*in-process, binary/],
  ['turns that are not a number', ['dev.md', 'workspace', '--max-turns', 'x'], 2, /--max-turns expects a whole number/],
  ['a spec that is not there', ['none.md', 'workspace'], 3, /There is no agent file "none\.md"/],
  [
    'a folder instead of a spec',
    ['./workspace', 'workspace'],
    4,
    /workspace is not a file: expected the markdown file/,
  ],
  ['a spec without a title', ['a.md', 'workspace'], 4, /a\.md:1: expected a title/, { files: { 'a.md': 'Hello.\n' } }],
  [
    'a spec without a prompt',
    ['a.md', 'workspace'],
    4,
    /a\.md:2: expected the system prompt/,
    { files: { 'a.md': '# A\n\n## B\n' } },
  ],
  ['an empty spec', ['a.md', 'workspace'], 4, /a\.md:1: expected a title/, { files: { 'a.md': '' } }],
  ['a workspace that is not there', ['dev.md', 'nowhere'], 3, /there is no workspace .*nowhere.*mkdir/],
  ['a file as workspace', ['dev.md', 'dev.md'], 4, /the workspace .*dev\.md is not a folder/],
  ['an unknown provider', ['dev.md', 'workspace', '--provider=opnai'], 3, /unknown provider 'opnai'.*anthropic/],
  [
    'a provider module that is not there',
    ['dev.md', 'workspace', '--provider=./x.mjs'],
    3,
    /there is no provider .*x\.mjs/,
  ],
  [
    'a module that is no provider',
    ['dev.md', 'workspace', '--provider=./p.mjs'],
    4,
    /expected a default export/,
    { files: { 'dev.md': AGENT, 'p.mjs': 'export default 5;\n' } },
  ],
  ['no key', ['dev.md', 'workspace', '--provider=openai'], 6, /no key for openai.*OPENAI_API_KEY/],
  ['no provider at all', ['dev.md', 'workspace'], 6, /no model is configured.*ANTHROPIC_API_KEY/, { env: {} }],
  [
    'claude-code without its SDK',
    ['dev.md', 'workspace', '--provider=claude-code'],
    3,
    /Claude Agent SDK.*not installed.*npm install --ignore-scripts --prefix .*claude-agent-sdk@/,
  ],
  [
    'a dead session',
    ['dev.md', 'workspace', 'ses_gone'],
    3,
    /There is no session "ses_gone" of anthropic.*sessions list/,
  ],
  ['a session id that is a path', ['dev.md', 'workspace', '../../etc'], 3, /There is no session/],
  ['nothing to continue', ['dev.md', 'workspace', '--continue'], 3, /no session to continue.*\.session/],
  [
    'stdin that is not JSON',
    ['dev.md', 'workspace'],
    2,
    /stdin is not valid JSON.*expected one JSON object of parameters/,
    { stdin: 'TASK_FILE=a' },
  ],
  [
    'stdin that is no object',
    ['dev.md', 'workspace'],
    2,
    /stdin holds an array: expected one JSON object/,
    { stdin: '[1]' },
  ],
];

describe('bad input to exec gets one clear line and the right exit code', () => {
  const rows = ROWS.map(([what, args, code, says, options = {}]) => ({ what, args, code, says, ...options }));
  test.each(rows)('$what', async ({ args, code, says, files, env = KEY, stdin = '' }) => {
    const { home } = makePlace(files);
    expectOneClearLine(await attractor(['exec', ...args, ...ANYWHERE], { home, env, stdin }), code, says);
  });

  const early = new Set(['an unknown flag', 'a spec that is not there', 'stdin that is not JSON', 'a dead session']);
  const told = rows.filter(({ what }) => early.has(what));
  test.each(told)('$what, with a result line where lines are read', async ({ args, code, says, stdin = '' }) => {
    const { home } = makePlace();
    const lines = code === 2 ? ['--json'] : ['--output-format', 'json'];
    const ended = await attractor(['exec', ...args, ...lines, ...ANYWHERE], { home, env: KEY, stdin });
    expect(ended.code).toBe(code);
    const result = JSON.parse(ended.stdout);
    expect(result).toMatchObject({
      type: 'result',
      is_error: true,
      session_id: null,
      terminal_reason: 'turn_setup_failed',
    });
    expect(result).toMatchObject({ result: expect.stringMatching(says), duration_api_ms: 0 });
  });

  test('a signal while it waits for parameters ends it, before anything was made', async () => {
    const { home, workspace } = makePlace();
    const args = ['exec', 'dev.md', workspace, '--provider=anthropic', '--output-format=json', ...ANYWHERE];
    const running = startAttractor(args, { home, env: KEY, stdin: null });
    // More than a pipe holds: it is reading once this is written.
    await new Promise((resolve) => running.child.stdin?.write(' '.repeat(1 << 20), resolve));
    running.child.kill('SIGTERM');
    const ended = await running.ended;
    expect(ended.code).toBe(143);
    expect(JSON.parse(ended.stdout)).toMatchObject({ session_id: null, terminal_reason: 'aborted_streaming' });
    expect(readdirSync(workspace)).toEqual([]);
  });

  test('a workspace that may not be written', async () => {
    const { home, workspace } = makePlace();
    chmodSync(workspace, 0o555);
    for (const folder of [home, path.dirname(home)]) chmodSync(folder, 0o755);
    const ended = await runAttractor(['exec', 'dev.md', 'workspace'], { home, env: KEY, through: NOBODY });
    expectOneClearLine(ended, 4, /the workspace .* may not be written: choose one that you own/);
  });

  test('a session of another provider, and one that is at work', async () => {
    const world = await makeExecWorld({
      turns: [{ text: 'Ready.' }, { text: 'Never.', fault: { kind: 'stall', headers: 'held', times: 'forever' } }],
    });
    expect(await world.run()).toMatchObject({ code: 0 });
    const id = world.sessionId();
    const other = ['--provider=openai', '--model=x'];
    const ended = await world.run([id], { model: other, env: { OPENAI_API_KEY: 'none' } });
    expectOneClearLine(
      ended,
      4,
      new RegExp(`Session ${id} belongs to anthropic, not to openai: pass --provider=anthropic`),
    );
    const running = world.start([id]);
    while (world.simulator.requests().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    expectOneClearLine(await world.run([id]), 4, /session|writes/i);
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130 });
  });

  test('a pipe that stays open and silent keeps nobody waiting', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'Ready.' }] });
    const { spawn } = await import('node:child_process');
    const command = path.resolve(import.meta.dirname, '../../packages/cli/dist/attractor.js');
    const flags = ['--provider=anthropic', '--model=x', '--base-url', world.simulator.baseUrls.anthropic];
    const child = spawn(
      process.execPath,
      [command, 'exec', 'agents/developer.md', world.workspace, ...flags, ...ANYWHERE],
      {
        cwd: world.home,
        env: { PATH: '/usr/bin:/bin', HOME: world.home, ...KEY },
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    );
    expect(await new Promise((resolve) => child.on('close', resolve))).toBe(0);
  });

  test('file-tools and mcp serve say what is wrong, too', async () => {
    const { home } = makePlace();
    const lines = (...args: ReadonlyArray<string>): Promise<Ended> => attractor(args, { home });
    expect(await lines('file-tools', 'workspace')).toMatchObject({ code: 2, stdout: '' });
    expect(await lines('file-tools', 'workspace', 'x')).toMatchObject({ code: 2, stderr: '' });
    expect(await lines('file-tools', 'nowhere', '{"tool":"file.list"}')).toMatchObject({ code: 3, stderr: '' });
    expect(await lines('file-tools', 'workspace', '{"tool":"file.read","path":"a"}')).toMatchObject({
      code: 1,
      stderr: '',
    });
    expectOneClearLine(await lines('mcp', 'serve', 'nowhere'), 3, /nowhere is not a folder that exists/);
    expectOneClearLine(await lines('mcp', 'serve'), 2, /missing required argument 'dir'/);
  });
});
