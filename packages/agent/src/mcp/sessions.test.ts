import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLocalExecutionEnvironment } from '../execution/local.ts';
import { createPolicy, parseRule } from '@attractor/policy';
import { createAnthropicProfile } from '../profiles/anthropic.ts';
import { createRedactor } from '@attractor/redact';
import { createSandbox } from '@attractor/confine';
import { bubblewrapOrSkip } from '../sandbox/test-support/sandbox-world.ts';
import type { SessionOptions } from '../contract/session.ts';
import { createSession } from '../session/session.ts';
import { call, createScriptedClient, type Script } from '../testing/scripted-client.ts';
import { follow } from '../test-support/session-world.ts';
import { makeFolder, until } from '@attractor/base/testing';

import type { DeliveredEvent } from '../types/index.ts';
import { type Mcp, type McpOptions, openMcp } from '@attractor/mcp';
import { everythingServer, HOSTILE_SERVER, stdioServer } from '@attractor/mcp/testing';
import { openSessionServers } from '../open/session-servers.ts';

function sessionWith(mcp: Mcp, script: Script, more: Partial<SessionOptions> = {}) {
  const client = createScriptedClient(script);
  const session = createSession({
    client,
    environment: createLocalExecutionEnvironment(makeFolder()),
    profile: createAnthropicProfile(),
    config: { model: 'scripted', provider: 'scripted' },
    toolSources: [mcp],
    ...more,
  });
  onTestFinished(() => session.close());
  const events: DeliveredEvent[] = [];
  follow(session, events).catch(() => undefined);
  return { session, client, events };
}

function hostile(behaviour: string, more: Partial<McpOptions> = {}): { readonly mcp: Mcp; readonly log: () => string } {
  const folder = makeFolder({ log: '' });
  const log = path.join(folder, 'log');
  const mcp = openMcp({
    servers: [stdioServer('bad', [HOSTILE_SERVER, behaviour, log])],
    workspace: folder,
    version: '1',
    ...more,
  });
  onTestFinished(() => mcp.close());
  return { mcp, log: () => readFileSync(log, 'utf8') };
}

describe('a session with servers', () => {
  it('offers their tools, shows progress, and gives the model what they answer', async () => {
    const mcp = openMcp({ servers: [await everythingServer('stdio')], workspace: makeFolder(), version: '1' });
    onTestFinished(() => mcp.close());
    await mcp.ready();
    const name = 'mcp__everything__trigger-long-running-operation';
    const { session, client, events } = sessionWith(mcp, [
      { calls: [call(name, { duration: 0.1, steps: 2 }), call('mcp__everything__get-tiny-image')] },
      { text: 'done' },
    ]);
    await session.submit('go');
    expect(client.requests[0]?.tools?.find((tool) => tool.name === name)?.parameters).toMatchObject({
      type: 'object',
      properties: { duration: { type: 'number' }, steps: { type: 'number' } },
    });
    expect(events.some(({ kind }) => kind === 'TOOL_CALL_OUTPUT_DELTA')).toBe(true);
    const sent = JSON.stringify(client.requests[1]);
    expect(sent).toContain('Long running operation completed');
    expect(sent).toContain('"mediaType":"image/png"');
  });

  it('shows progress also where it comes in one piece with the answer', async () => {
    const { mcp } = hostile('hurries');
    await mcp.ready();
    const { session, events } = sessionWith(mcp, [{ calls: [call('mcp__bad__tool1')] }, { text: 'done' }]);
    await session.submit('go');
    const shown = events.flatMap((event) => (event.kind === 'TOOL_CALL_OUTPUT_DELTA' ? [event.text] : []));
    expect(shown).toEqual([expect.stringContaining('nearly')]);
  });

  it('sees a list that changed at its next request', async () => {
    const { mcp } = hostile('grows');
    await mcp.ready();
    const { session, client } = sessionWith(mcp, [
      { calls: [call('mcp__bad__tool1')] },
      { text: 'one' },
      { text: 'two' },
    ]);
    await session.submit('go');
    await until(() => mcp.list().length === 2);
    await session.submit('again');
    const offered = client.requests.map(
      ({ tools = [] }) => tools.filter(({ name }) => name.startsWith('mcp__')).length,
    );
    expect([offered[0], offered[2]]).toEqual([1, 2]);
  });

  it('takes secrets out of what they answer, and cancels their work when it is stopped', async () => {
    const variables = { PATH: process.env['PATH'], HOME: '/home-of-the-secret-value' };
    const { mcp } = hostile('variables', { variables });
    await mcp.ready();
    const redactor = createRedactor({ secrets: ['home-of-the-secret-value'] });
    const told = sessionWith(mcp, [{ calls: [call('mcp__bad__tool1')] }, { text: 'ok' }], { redactor });
    await told.session.submit('go');
    expect(JSON.stringify([told.client.requests, told.events])).not.toContain('home-of-the-secret-value');

    const endless = hostile('hangs');
    await endless.mcp.ready();
    const stopped = sessionWith(endless.mcp, [{ calls: [call('mcp__bad__tool1')] }, { text: 'never' }]);
    const submitted = stopped.session.submit('go');
    await until(() => stopped.events.some(({ kind }) => kind === 'TOOL_CALL_START'));
    await stopped.session.abort();
    await submitted;
    await until(() => endless.log().includes('cancelled'));
  });

  it('asks for every tool of theirs that no rule allows, whatever they say of it', async () => {
    const { mcp } = hostile('variables');
    await mcp.ready();
    const root = makeFolder();
    const origin = { scope: 'flag', file: 'test', line: null, root } as const;
    const rule = parseRule('mcp__bad', 'allow', origin);
    const rules = rule.ok ? [rule.rule] : [];
    const judged = async (allowed: typeof rules, mode: 'default' | 'acceptEdits' | 'plan'): Promise<boolean> => {
      const policy = createPolicy({ rules: allowed, mode, root, home: root, sandboxed: false });
      const { session, events } = sessionWith(mcp, [{ calls: [call('mcp__bad__tool1')] }, { text: 'ok' }], { policy });
      await session.submit('go');
      return events.some((event) => event.kind === 'TOOL_CALL_END' && !event.isError);
    };
    expect(await judged([], 'default')).toBe(false);
    expect(await judged([], 'acceptEdits')).toBe(false);
    expect(await judged(rules, 'default')).toBe(true);
  });
});

describe('a server in a sandbox', () => {
  it('that a person configured runs as that person, outside; one that is a file of the workspace runs inside', async (context) => {
    const bubblewrap = await bubblewrapOrSkip(context);
    const [root, elsewhere] = [
      makeFolder(),
      makeFolder({ 'server.mts': readFileSync(HOSTILE_SERVER, 'utf8'), log: '' }),
    ];
    const sandbox = createSandbox({ bubblewrap, roots: [root] });
    onTestFinished(() => sandbox.close());
    const log = path.join(elsewhere, 'log');
    const servers = {
      own: { command: process.execPath, args: [path.join(elsewhere, 'server.mts'), 'variables', log] },
    };
    const query = { settings: new Map(), disabled: [], cwd: root, sandbox, version: '0' };
    const own = openSessionServers({ ...query, flags: { mcp: [], mcpConfig: servers } });
    onTestFinished(own.mcp.close);
    expect(await own.mcp.ready()).toMatchObject([{ state: 'on' }]);
    expect(readFileSync(log, 'utf8')).toContain('pid');
    writeFileSync(path.join(root, 'server.mjs'), "require('node:fs').writeFileSync('/var/tmp/never', '')");
    const inside = { near: { command: process.execPath, args: ['server.mjs'] } };
    const near = openSessionServers({ ...query, flags: { mcp: [], mcpConfig: inside } });
    onTestFinished(near.mcp.close);
    expect((await near.mcp.ready())[0]?.problem?.message).toContain('runs in the sandbox');
  });

  it('runs inside, and ends with its session', async (context) => {
    const bubblewrap = await bubblewrapOrSkip(context);
    const root = makeFolder({ 'server.mts': readFileSync(HOSTILE_SERVER, 'utf8'), log: '' });
    const sandbox = createSandbox({ bubblewrap, roots: [root] });
    onTestFinished(() => sandbox.close());
    const log = path.join(root, 'log');
    const args = [path.join(root, 'server.mts'), 'variables', log];
    const theirs = { ...stdioServer('bad', args), scope: 'project' } as const;
    const mcp = openMcp({ servers: [theirs], workspace: root, version: '1', sandbox, isTrusted: () => true });
    onTestFinished(() => mcp.close());
    expect(await mcp.ready()).toMatchObject([{ state: 'on' }]);
    const answer = await mcp.list()[0]?.executor({}, createLocalExecutionEnvironment(root), { toolCallId: 'c' });
    expect(JSON.stringify(answer)).toContain('XDG_CACHE_HOME');
    // Inside, it has a numbering of processes of its own.
    expect(Number(/pid (\d+)/.exec(readFileSync(log, 'utf8'))?.[1])).toBeLessThan(1_000);
  });
});
