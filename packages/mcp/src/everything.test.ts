import { describe, expect, it, onTestFinished } from 'vitest';
import { makeFolder, until } from '@attractor/base/testing';

import type { McpElicitation } from './elicitation.ts';
import { type Mcp, type McpOptions, openMcp } from './open-mcp.ts';
import type { McpTool, McpToolResult } from './tool.ts';
import { everythingServer } from './test-support/everything.ts';

type World = {
  readonly mcp: Mcp;
  readonly call: (
    tool: string,
    args?: Record<string, unknown>,
    context?: Parameters<McpTool['executor']>[2],
  ) => Promise<McpToolResult>;
};

async function open(kind: 'stdio' | 'http', more: Partial<McpOptions> = {}): Promise<World> {
  const workspace = makeFolder();
  const mcp = openMcp({ servers: [await everythingServer(kind)], workspace, version: '1', ...more });
  onTestFinished(() => mcp.close());
  expect((await mcp.ready())[0]).toMatchObject({ key: 'everything', state: 'on', problem: null });
  return {
    mcp,
    call: async (tool, args = {}, context = {}) => {
      const name = `mcp__everything__${tool}`;
      const found = mcp.list().find(({ definition }) => definition.name === name);
      if (found === undefined) throw new Error(`no tool ${name}`);
      return found.executor(args, null, { toolCallId: 'c1', ...context });
    },
  };
}

describe.each(['stdio', 'http'] as const)('the reference server over %s', (kind) => {
  it('walks through tools, images, resources, prompts, progress and cancellation', async () => {
    const { mcp, call } = await open(kind);
    expect(await call('echo', { message: 'hello' })).toEqual({ output: 'Echo: hello', isError: false });
    expect((await call('get-sum', { a: 2, b: 3 })).output).toContain('5');
    expect((await call('get-sum', { a: 'x' })).isError).toBe(true);
    expect(await call('get-tiny-image')).toMatchObject({
      isError: false,
      images: [{ kind: 'IMAGE', source: { mediaType: 'image/png' } }],
    });
    expect((await call('get-structured-content', { location: 'Chicago' })).output).toContain('temperature');

    const heard: string[] = [];
    const long = await call(
      'trigger-long-running-operation',
      { duration: 0.2, steps: 2 },
      { onOutput: (text) => heard.push(text) },
    );
    expect(long.isError).toBe(false);
    expect(heard.join('')).toContain('1/2');

    const stopper = new AbortController();
    const begun: string[] = [];
    const cancelled = call(
      'trigger-long-running-operation',
      { duration: 60, steps: 600 },
      { signal: stopper.signal, onOutput: (text) => begun.push(text) },
    );
    await until(() => begun.length > 0);
    stopper.abort();
    expect(await cancelled).toMatchObject({ isError: true, output: expect.stringContaining('cancelled') });
    expect((await call('echo', { message: 'again' })).output).toBe('Echo: again');

    const listed = (await call('list_resources')).output;
    const uri = /(demo:\/\/resource\/static\/\S+)/.exec(listed)?.[1] ?? '';
    expect(listed).toContain('template demo://resource/dynamic/text/{resourceId}');
    const read = await call('read_resource', { uri });
    expect(read).toMatchObject({ isError: false, output: expect.stringContaining(`[resource ${uri}]`) });
    expect((await call('read_resource', { uri: 'demo://nowhere' })).isError).toBe(true);
    const [mention] = await mcp.mentions(`see @everything:${uri}. And @nobody:demo://x, or me@everything:demo://y`);
    expect(mention).toMatchObject({ mention: `@everything:${uri}`, isError: false, output: read.output });

    const names = (await mcp.commands()).map(({ name }) => name);
    expect(names).toContain('mcp__everything__simple-prompt');
    expect(await mcp.expand('/mcp__everything__args-prompt Paris "Ile de France"')).toMatchObject({
      ok: true,
      value: { parts: [{ kind: 'TEXT', text: expect.stringContaining('Paris, Ile de France') }] },
    });
    expect(await mcp.expand('/mcp__everything__args-prompt')).toMatchObject({ ok: false, error: { code: 'refused' } });
    expect(await mcp.expand('no command')).toBeNull();
  });

  it('asks the person what the server wants to know, and says no where nobody is', async () => {
    const asked: McpElicitation[] = [];
    const answering = await open(kind, {
      elicit: async (request) => {
        asked.push(request);
        return { action: 'accept', content: { name: 'Ada' } };
      },
    });
    expect((await answering.call('trigger-elicitation-request')).output).toContain('Ada');
    expect(asked).toMatchObject([{ server: 'everything', mode: 'form', requestedSchema: { type: 'object' } }]);
    const alone = await open(kind);
    expect((await alone.call('trigger-elicitation-request')).output).toMatch(/declin/i);
  });
});
