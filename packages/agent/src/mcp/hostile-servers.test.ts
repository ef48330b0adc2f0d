import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { isRunning, makeFolder, until } from '@attractor/base/testing';

import { validateArguments } from '../tools/validate.ts';
import type { ToolContext, ToolResult } from '../types/index.ts';
import { type Mcp, type McpOptions, type McpServerDefinition, openMcp } from '@attractor/mcp';

import { HOSTILE_SERVER, resourceResultOf, toolResultOf } from '@attractor/mcp/testing';

type World = {
  readonly server: McpServerDefinition;
  readonly mcp: Mcp;
  readonly log: () => ReadonlyArray<string>;
  readonly call: (context?: Partial<ToolContext>) => Promise<ToolResult>;
};

type Behaviour = { readonly text?: string; readonly options?: Partial<McpOptions> } & Partial<McpServerDefinition>;

function open(behaviour: string, { text = '', options = {}, ...more }: Behaviour = {}): World {
  const folder = makeFolder({ log: '' });
  const file = path.join(folder, 'log');
  const args = [HOSTILE_SERVER, behaviour, file, text];
  const transport = { kind: 'stdio', command: process.execPath, args, env: { OWN: 'mine' } } as const;
  const server: McpServerDefinition = { name: 'bad', scope: 'flag', transport, ...more };
  const mcp = openMcp({ servers: [server], workspace: folder, version: '1', ...options });
  onTestFinished(() => mcp.close());
  const env = createLocalExecutionEnvironment(folder);
  return {
    server,
    mcp,
    log: () => readFileSync(file, 'utf8').split('\n').filter(Boolean),
    call: async (context = {}) => {
      const answer = await mcp.list()[0]?.executor({}, env, { toolCallId: 'c', ...context });
      return typeof answer === 'object' ? answer : { output: String(answer), isError: false };
    },
  };
}

function pids(world: World): ReadonlyArray<number> {
  return world.log().flatMap((line) => (line.startsWith('pid ') ? [Number(line.slice(4))] : []));
}

describe('a server that behaves badly', () => {
  it.each<readonly [behaviour: string, says: RegExp, more: Behaviour]>([
    ['dies', /ended|closed/i, {}],
    ['hangs', /silent for 300 ms/, { callTimeoutMs: 300 }],
    ['errs', /no such thing/, {}],
    ['nonsense', /./, {}],
    ['flood', /more than 32 MiB|ended/, {}],
  ])('%s: the call has an error result, and the server is there again for the next', async (behaviour, says, more) => {
    const world = open(behaviour, more);
    await world.mcp.ready();
    const first = await world.call();
    expect(first).toMatchObject({ isError: true, output: expect.stringMatching(says) });
    expect((await world.call()).isError).toBe(true);
    expect(pids(world).length).toBe(behaviour === 'dies' || behaviour === 'flood' ? 2 : 1);
    if (behaviour === 'hangs') await until(() => world.log().includes('cancelled'));
  });

  it('that dies again and again is tried later and later, and is used again once it stays', async () => {
    let now = 0;
    const world = open('dies', { options: { clock: { now: () => now } } });
    await world.mcp.ready();
    await world.call();
    await world.call();
    expect(await world.call()).toMatchObject({ isError: true, output: expect.stringMatching(/tried again in 2 s/) });
    expect(pids(world)).toHaveLength(2);
    now += 2_000;
    await world.call();
    expect(pids(world)).toHaveLength(3);
    expect((await world.call()).output).toMatch(/tried again in 4 s/);
  });

  it('that does not start says why: its last words, its time, its absence', async () => {
    const crashed = open('crashes');
    expect(await crashed.mcp.ready()).toMatchObject([
      { state: 'failed', problem: { code: 'start_failed', message: expect.stringContaining('the reason why') } },
    ]);
    const junk = open('junk', { startupTimeoutMs: 30_000 });
    expect(await junk.mcp.ready()).toMatchObject([
      {
        state: 'failed',
        problem: { code: 'start_failed', message: expect.stringMatching(/Its answer has not the form/) },
      },
    ]);
    const mute = open('mute', { startupTimeoutMs: 400 });
    expect(await mute.mcp.ready()).toMatchObject([{ state: 'failed', problem: { code: 'start_timeout' } }]);
    await until(() => !pids(mute).some(isRunning));
    const transport = { kind: 'stdio', command: '/no/such/program', args: [], env: {} } as const;
    const absent = open('x', { transport });
    expect(await absent.mcp.ready()).toMatchObject([
      { problem: { code: 'start_failed', message: expect.stringContaining('ENOENT') } },
    ]);
    expect([...crashed.mcp.list(), ...mute.mcp.list(), ...absent.mcp.list()]).toEqual([]);
  });

  it('that will not end is ended, with what it started', async () => {
    const world = open('stubborn');
    await world.mcp.ready();
    expect(pids(world).map(isRunning)).toEqual([true, true]);
    await world.mcp.close();
    await until(() => !pids(world).some(isRunning));
    expect(await world.call()).toMatchObject({ isError: true });
  });

  it('that prints what is no message is understood all the same', async () => {
    const world = open('babbles');
    await world.mcp.ready();
    expect(await world.call()).toEqual({ output: 'after all', isError: false });
    const mumbling = open('mumbles', { callTimeoutMs: 20_000 });
    await mumbling.mcp.ready();
    expect(await mumbling.call()).toEqual({ output: 'all done', isError: false });
  });

  it('whose answers are odd in places loses these places, and each is told once', async () => {
    const world = open('odd');
    const [status] = await world.mcp.ready();
    const names = world.mcp.list().map(({ definition }) => definition.name);
    expect(names).toEqual(['good', 'bare', 'list', 'either'].map((name) => `mcp__bad__${name}`));
    expect(status?.notes).toEqual([
      'The MCP server bad: a tool without a name is left out.',
      expect.stringMatching(/^The MCP server bad: its tool bare says of its arguments what is no schema/),
      expect.stringMatching(/its tool list says/),
    ]);
    const { output, isError } = await world.call();
    expect([isError, output.split('\n')]).toEqual([
      false,
      [
        'fine',
        ...['text', 'hologram', 'image'].map((kind) => `[${kind}, in a form that is not known here: not shown]`),
        '[a part that is no object: not shown]',
      ],
    ]);
  });

  it('that answers at length is shown up to the cap, with a word on how much there was', async () => {
    const long = open('huge', { text: '50000' });
    await long.mcp.ready();
    expect((await long.call()).output).toMatch(/^x{50000}\n\[A large answer: about 12500 tokens/);
    const huge = open('huge', { text: String(8 << 20) });
    await huge.mcp.ready();
    const { output } = await huge.call();
    expect(output).toMatch(/^\[This answer has about 2097152 tokens; 25000 of them are shown/);
    expect(output.length).toBeLessThan(101_000);
  });

  it('sees the environment without secrets and its own, and is never taken at its word to only read', async () => {
    const variables = { PATH: process.env['PATH'], HOME: '/h', SECRET_TOKEN: 's', OTHER: 'o' };
    const world = open('variables', { options: { variables } });
    await world.mcp.ready();
    const seen: Record<string, string> = JSON.parse((await world.call()).output);
    expect(seen).toMatchObject({ HOME: '/h', OWN: 'mine' });
    expect([seen['SECRET_TOKEN'], seen['OTHER']]).toEqual([undefined, 'o']);
    expect(world.mcp.list()[0]?.readOnly).toBeUndefined();
  });

  it('whose schema is broken can be called, and whose list changes is seen anew', async () => {
    const world = open('grows');
    await world.mcp.ready();
    const [tool] = world.mcp.list();
    if (tool === undefined) throw new Error('no tool');
    expect(await validateArguments(tool.definition, { p: 'x', r: 1 })).toEqual([]);
    expect(await validateArguments(tool.definition, { p: 1 })).not.toEqual([]);
    await world.call();
    await until(() => world.mcp.list().length === 2);
    expect(world.mcp.list().map(({ definition }) => definition.name)).toEqual(['mcp__bad__tool1', 'mcp__bad__tool2']);
  });
});

describe('a server of a repository', () => {
  it('is not started before somebody trusted it', async () => {
    const asked: string[] = [];
    for (const scope of ['project', 'local'] as const) {
      const untrusted = open('errs', { scope });
      expect(await untrusted.mcp.ready()).toMatchObject([{ state: 'untrusted', problem: { code: 'untrusted' } }]);
      expect([untrusted.log(), untrusted.mcp.list(), await untrusted.mcp.commands()]).toEqual([[], [], []]);
    }
    const isTrusted = ({ name }: McpServerDefinition): boolean => asked.push(name) > 0;
    const trusted = open('errs', { scope: 'project', options: { isTrusted } });
    expect(await trusted.mcp.ready()).toMatchObject([{ state: 'on' }]);
    expect(asked).toEqual(['bad']);
  });

  it('whose tools are known from before is started by its first use, not by asking what there is', async () => {
    const home = makeFolder();
    const options = { home };
    const first = open('variables', { scope: 'user', options });
    await first.mcp.ready();
    await first.mcp.close();
    const again = openMcp({
      servers: [first.server],
      workspace: makeFolder(),
      version: '1',
      home,
    });
    onTestFinished(() => again.close());
    expect(await again.ready()).toMatchObject([{ state: 'off' }]);
    expect(again.list().map((tool) => tool.definition.name)).toEqual(['mcp__bad__tool1']);
    expect(pids(first)).toHaveLength(1);
    await again.list()[0]?.executor({}, createLocalExecutionEnvironment(makeFolder()), { toolCallId: 'c' });
    expect(pids(first)).toHaveLength(2);
  });
});

const image = (data: string) => ({ type: 'image' as const, data, mimeType: 'image/png' });

describe('what a model gets of an answer', () => {
  it('has at most twenty images, and none that is too large', () => {
    const many = toolResultOf({ content: Array.from({ length: 25 }, () => image('AAAA')) });
    expect(many.images).toHaveLength(20);
    const large = toolResultOf({ content: [image('A'.repeat((7 << 20) + 4)), image('AAAA')] });
    expect(large.images).toHaveLength(1);
    expect(large.output).toContain('too large to be shown');
    const blob = { uri: 'a://x', mimeType: 'image/png', blob: 'A'.repeat((7 << 20) + 4) };
    expect(resourceResultOf({ contents: [blob] }).images).toBeUndefined();
  });

  it('has no more text than its tokens, and says how much there was', () => {
    const { output } = toolResultOf({ content: [{ type: 'text', text: 'word '.repeat(1000) }] }, 100);
    expect(output.length).toBeLessThan(800);
    expect(output).toContain('about 1250 tokens; 100 of them are shown');
  });
});
