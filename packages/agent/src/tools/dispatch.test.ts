import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { makeFolder } from '@attractor/base/testing';
import { createToolRegistry, type RegisteredTool } from '../types/index.ts';
import { dispatchToolCalls, type PendingToolCall } from './dispatch.ts';

const tool = (
  name: string,
  executor: RegisteredTool['executor'],
  more: Partial<RegisteredTool> = {},
): RegisteredTool => ({
  definition: {
    name,
    description: name,
    parameters: {
      type: 'object',
      properties: { text: { type: 'string' }, n: { type: 'integer' } },
      required: ['text'],
    },
  },
  executor,
  ...more,
});

const call = (
  toolName: string,
  args: Record<string, unknown> = { text: 'x' },
  toolCallId = `id-${toolName}`,
): PendingToolCall => ({ toolCallId, toolName, args });

const setup = (tools: ReadonlyArray<RegisteredTool>) => ({
  registry: createToolRegistry(tools),
  env: createLocalExecutionEnvironment(makeFolder()),
});

describe('dispatchToolCalls', () => {
  it('hands arguments and environment to the executor (AC3.1)', async () => {
    const { registry, env } = setup([
      tool('echo', async (args, given) => `${String(args['text'])} in ${given.workingDirectory()}`),
    ]);
    expect(await dispatchToolCalls([call('echo')], registry, env, false)).toEqual([
      { toolCallId: 'id-echo', output: `x in ${env.workingDirectory()}`, isError: false },
    ]);
  });

  it('answers an unknown tool with an error result that names the known ones (AC3.2)', async () => {
    const { registry, env } = setup([tool('echo', async () => '')]);
    const [result] = await dispatchToolCalls([call('__proto__')], registry, env, true);
    expect(result).toMatchObject({ isError: true, output: 'Unknown tool: __proto__. Available tools: echo.' });
  });

  it.each([
    ['a missing argument', {}],
    ['a wrong type', { text: 3 }],
    ['a number that is no integer', { text: 'x', n: 1.5 }],
    ['NaN', { text: 'x', n: Number.NaN }],
    ['an own __proto__ key', JSON.parse('{"text":"x","deep":{"__proto__":{"polluted":true}}}')],
  ])('never runs a call with %s (AC3.3)', async (_, args) => {
    let ran = 0;
    const { registry, env } = setup([tool('echo', async () => String(++ran))]);
    const [result] = await dispatchToolCalls([call('echo', args)], registry, env, true);
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('Invalid arguments for echo') });
    expect(ran).toBe(0);
    expect({}).not.toHaveProperty('polluted');
  });

  it('never runs a call whose text was not JSON (AC3.3)', async () => {
    let ran = 0;
    const { registry, env } = setup([tool('echo', async () => String(++ran))]);
    const [result] = await dispatchToolCalls([{ ...call('echo'), argsError: 'unexpected end' }], registry, env, true);
    expect(result).toMatchObject({ isError: true, output: expect.stringContaining('unexpected end') });
    expect(ran).toBe(0);
  });

  it('refuses a call in the shape of the tool, where the tool has one', async () => {
    const refusal = (reason: string): string => JSON.stringify({ reason });
    const { registry, env } = setup([tool('echo', async () => '', { refusal })]);
    const [result] = await dispatchToolCalls([{ ...call('echo'), argsError: 'unexpected end' }], registry, env, true);
    expect(JSON.parse(result?.output ?? '')).toEqual({ reason: expect.stringContaining('unexpected end') });
  });

  it('runs a tool that its registry knows by another name under its own name', async () => {
    const { registry, env } = setup([tool('file.echo', async () => 'heard')]);
    const get = (name: string) => registry.get(name.replace('_', '.'));
    const told: string[] = [];
    const onEnd = async ({ toolName }: PendingToolCall): Promise<void> => void told.push(toolName);
    const options = { parallel: false, onEnd };
    const results = await dispatchToolCalls([call('file_echo')], { ...registry, get }, env, options);
    expect([told, results]).toEqual([['file.echo'], [{ toolCallId: 'id-file_echo', output: 'heard', isError: false }]]);
  });

  it('turns a throw into an error result (AC3.4)', async () => {
    const { registry, env } = setup([tool('bad', () => Promise.reject(new Error('boom')))]);
    expect(await dispatchToolCalls([call('bad')], registry, env, true)).toEqual([
      { toolCallId: 'id-bad', output: 'Tool error: boom', isError: true },
    ]);
  });

  it('runs calls side by side when allowed, and keeps their order (AC3.5)', async () => {
    const log: string[] = [];
    const slow = (name: string, ms: number) =>
      tool(name, async () => {
        log.push(`${name} starts`);
        await wait(ms);
        log.push(`${name} ends`);
        return name;
      });
    const { registry, env } = setup([slow('a', 60), slow('b', 20)]);
    const results = await dispatchToolCalls([call('a'), call('b')], registry, env, true);
    expect(results.map((result) => result.output)).toEqual(['a', 'b']);
    expect(log).toEqual(['a starts', 'b starts', 'b ends', 'a ends']);
    log.length = 0;
    await dispatchToolCalls([call('a'), call('b')], registry, env, false);
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends']);
  });

  it('runs reads side by side even when the profile does not, and lets a serial tool run alone', async () => {
    const running = new Set<string>();
    const seen: string[] = [];
    const make = (name: string, more: Partial<RegisteredTool>) =>
      tool(
        name,
        async () => {
          running.add(name);
          await wait(20);
          seen.push([...running].toSorted().join('+'));
          await wait(20);
          running.delete(name);
          return name;
        },
        more,
      );
    const { registry, env } = setup([
      make('r1', { readOnly: true }),
      make('r2', { readOnly: true }),
      make('w', { serial: true }),
    ]);
    await dispatchToolCalls([call('r1'), call('r2')], registry, env, false);
    expect(seen).toEqual(['r1+r2', 'r1+r2']);
    seen.length = 0;
    await dispatchToolCalls([call('r1'), call('w'), call('r2')], registry, env, true);
    expect(seen).toEqual(['r1', 'w', 'r2']);
  });

  it('runs a repeated id once and answers it once', async () => {
    let ran = 0;
    const { registry, env } = setup([tool('count', async () => String(++ran))]);
    const results = await dispatchToolCalls(
      [call('count', { text: 'a' }, 'same'), call('count', { text: 'b' }, 'same')],
      registry,
      env,
      true,
    );
    expect(results).toEqual([{ toolCallId: 'same', output: '1', isError: false }]);
  });

  it('asks for permission after validation, and reports start before the tool runs', async () => {
    const log: string[] = [];
    const { registry, env } = setup([
      tool('act', async () => {
        log.push('ran');
        return '';
      }),
      tool('other', async () => 'ran'),
    ]);
    const results = await dispatchToolCalls([call('act'), call('other'), call('act', {}, 'invalid')], registry, env, {
      parallel: false,
      permit: async ({ toolName }) => {
        log.push(`permit ${toolName}`);
        return toolName === 'other' ? { output: 'Denied: no', isError: true } : null;
      },
      onStart: async ({ toolCallId }) => void log.push(`start ${toolCallId}`),
      onEnd: async ({ toolCallId }) => void log.push(`end ${toolCallId}`),
    });
    expect(log).toEqual([
      'permit act',
      'start id-act',
      'ran',
      'end id-act',
      'permit other',
      'start id-other',
      'end id-other',
      'start invalid',
      'end invalid',
    ]);
    expect(results.map((result) => result.isError)).toEqual([false, true, true]);
  });
});
