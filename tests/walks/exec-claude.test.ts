import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { installedClaudeSdk } from '@attractor/executor/testing';
import { describe, expect, test } from 'vitest';
import { until } from './attractor.ts';

import { type ExecWorld, kinds, makeExecWorld, MODEL } from './exec-world.ts';

const sdk = await installedClaudeSdk();

/** What the process of Claude Code gets besides its home and the service: nothing that leads off this machine. */
const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  CLAUDE_CODE_MAX_RETRIES: '0',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_TELEMETRY: '1',
  CANARY: 'not for Claude Code',
};

const call = (name: string, args: object): object => ({ name: `mcp__files__${name}`, args });

const claude = (
  world: ExecWorld,
  sdkFolder: string,
): { readonly model: ReadonlyArray<string>; readonly env: typeof QUIET } => ({
  model: [
    '--provider=claude-code',
    '--claude-sdk',
    sdkFolder,
    '--model',
    MODEL,
    '--base-url',
    world.simulator.baseUrls.anthropic,
  ],
  env: QUIET,
});

/** The processes whose HOME is the world's: Claude Code's own, if any is left. */
function processesOf({ home }: ExecWorld): ReadonlyArray<string> {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`HOME=${home}`);
    } catch {
      return false;
    }
  });
}

const folder = 'folder' in sdk ? sdk.folder : '';
const why = 'missing' in sdk ? `, not tried here: ${sdk.missing}` : '';

describe.runIf('folder' in sdk)(`claude-code, with the real SDK against a scripted model${why}`, () => {
  test('criteria 10 to 14: a session is created, its tools run by the file-tools program in the right workspace, and it is resumed by its id', async () => {
    const world = await makeExecWorld(
      {
        turns: [
          { text: 'I look.', toolCalls: [call('file_read', { path: 'a.txt' }), call('file_read', { path: 'none' })] },
          {
            expect: [{ toolResult: 'file_not_found' }],
            toolCalls: [call('file_write', { path: 'b.txt', content: 'made\n' })],
          },
          {
            expect: [{ toolResult: 'bytes_written' }],
            text: 'Made.',
            usage: { input: 1200, output: 80, cacheRead: 1000 },
          },
          { expect: [{ firstUser: 'Your workflow' }], text: 'Still here.' },
        ],
      },
      { 'a.txt': 'alpha\n' },
    );
    const options = { ...claude(world, folder), stdin: '{"TASK_FILE":"t.md"}' };
    expect(await world.run(['--tools=binary'], options)).toMatchObject({ code: 0, stdout: 'Made.\n', stderr: '' });
    expect(readFileSync(path.join(world.workspace, 'b.txt'), 'utf8')).toBe('made\n');
    const id = world.sessionId();
    expect(id).toMatch(/^[0-9a-f]{8}-/);
    const ended = await world.run([id, '--json'], claude(world, folder));
    const result: Record<string, unknown> = JSON.parse(ended.stdout.trim().split('\n').at(-1) ?? '');
    expect(ended.code).toBe(0);
    expect(result).toMatchObject({ subtype: 'success', result: 'Still here.', session_id: id });
    expect(result['total_cost_usd']).toBeGreaterThan(0);
    expect(world.simulator.failures()).toEqual([]);
    const seen = world.simulator.requests().filter(({ operation }) => operation === 'generate');
    const [body] = seen.map((request) => JSON.stringify(request.body));
    expect(
      body
        ?.match(/"name":"[^"]+","description"|"name":"mcp__[^"]+"/g)
        ?.every((tool) => tool.includes('mcp__files__file_')),
    ).toBe(true);
    expect(body).toContain('You implement one task at a time.');
    const names = kinds(world.records(), 'TOOL_CALL_START').map(({ toolName }) => toolName);
    expect(names).toEqual(['file.read', 'file.read', 'file.write']);
    expect(execFileSync('git', ['-C', world.workspace, 'status', '--porcelain'], { encoding: 'utf8' })).toBe(
      '?? a.txt\n?? b.txt\n',
    );
  });

  test('killed with SIGKILL in the middle, it goes on and repeats no call', async () => {
    const world = await makeExecWorld(
      {
        turns: [
          { toolCalls: [call('file_patch', { path: 'list', patches: [{ find: 'END', replace: 'once\nEND' }] })] },
          { text: 'Done.', fault: { kind: 'stall', headers: 'held' } },
          { text: 'Done.' },
        ],
      },
      { list: 'END\n' },
    );
    const running = world.start([], claude(world, folder));
    await until(
      () => world.simulator.requests().filter(({ operation }) => operation === 'generate')[1],
      'the second request',
    );
    running.child.kill('SIGKILL');
    await running.ended;
    const ended = await world.run([world.sessionId()], claude(world, folder));
    expect(ended).toMatchObject({ code: 0, stdout: 'Done.\n', stderr: '' });
    expect(readFileSync(path.join(world.workspace, 'list'), 'utf8')).toBe('once\nEND\n');
    expect(kinds(world.records(), 'TOOL_CALL_START')).toHaveLength(1);
  });

  test('cancelled, it ends with its process and can be resumed', async () => {
    const world = await makeExecWorld({
      turns: [{ text: 'Ready.', fault: { kind: 'stall', headers: 'held' } }, { text: 'Ready.' }],
    });
    const running = world.start([], claude(world, folder));
    await until(() => world.simulator.requests()[0], 'the first request');
    const others = processesOf(world).filter((pid) => pid !== String(running.child.pid));
    expect(others.length).toBeGreaterThan(0);
    for (const pid of others) expect(environmentOf(pid)).not.toContain('CANARY');
    running.child.kill('SIGINT');
    expect(await running.ended).toMatchObject({ code: 130, stdout: '' });
    await until(() => (processesOf(world).length === 0 ? true : undefined), 'the end of every process');
    expect(await world.run([world.sessionId()], claude(world, folder))).toMatchObject({
      code: 0,
      stdout: 'Ready.\n',
    });
  });

  test('without a login it says how to log in', async () => {
    const world = await makeExecWorld({ turns: [{ text: 'Never.' }] });
    const { model, env } = claude(world, folder);
    const ended = await world.run([], { model, env: { ...env, ANTHROPIC_API_KEY: '' } });
    expect(ended).toMatchObject({ code: 6, stdout: '' });
    expect(ended.stderr).toMatch(/^attractor: claude-code: .*`claude login`.*CLAUDE_CODE_OAUTH_TOKEN/);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  });
});

/** Empty for one that has ended meanwhile: programs start and end while this looks. */
function environmentOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8');
  } catch {
    return '';
  }
}
