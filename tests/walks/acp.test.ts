import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream, type SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { compileCache } from '@attractor/base/testing';
import { parseScript, startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { ANYWHERE, COMMAND, makeFolder } from './attractor.ts';

const TURNS = [
  { text: 'I look.', toolCalls: [{ use: 'read', path: 'notes.txt' }] },
  { toolCalls: [{ use: 'edit', path: 'notes.txt', old: 'two', new: 'three' }] },
  { toolCalls: [{ use: 'shell', command: 'cat notes.txt > copy.txt' }] },
  { text: 'Done.' },
];

it('the official client of the protocol has our command read, change a file and run a command, each as a person allows', async () => {
  const parsed = parseScript({ turns: TURNS });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  const [home, folder] = [makeFolder(), makeFolder()];
  writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
  const flags = ['acp', '--provider', 'anthropic', '--base-url', simulator.baseUrls.anthropic, ...ANYWHERE];
  const env = { PATH: '/usr/bin:/bin', HOME: home, ...compileCache(), ANTHROPIC_API_KEY: 'none' };
  const child = spawn(process.execPath, [COMMAND, ...flags], { cwd: home, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const updates: SessionUpdate[] = [];
  const titles: string[] = [];
  const connection = client({ name: 'walk' })
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update))
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      titles.push(params.toolCall.title ?? '');
      return { outcome: { outcome: 'selected', optionId: 'allow' } };
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>));
  const { agent } = connection;
  const hello = await agent.request(methods.agent.initialize, { protocolVersion: 1 });
  expect(hello).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'attractor' } });
  const { sessionId } = await agent.request(methods.agent.session.new, { cwd: folder, mcpServers: [] });
  const prompt = [{ type: 'text' as const, text: 'Change two to three.' }];
  expect(await agent.request(methods.agent.session.prompt, { sessionId, prompt })).toMatchObject({
    stopReason: 'end_turn',
  });
  expect(titles).toEqual(['Edit notes.txt', '`cat notes.txt > copy.txt`']);
  expect(readFileSync(path.join(folder, 'copy.txt'), 'utf8')).toBe('one\nthree\n');
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(
    expect.arrayContaining(['agent_message_chunk', 'tool_call', 'tool_call_update', 'available_commands_update']),
  );
  expect(simulator.failures()).toEqual([]);
  child.stdin.end();
  expect(await ended).toEqual([0, null]);
});
