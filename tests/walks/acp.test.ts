import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable, Writable } from 'node:stream';
import {
  client,
  methods,
  ndJsonStream,
  type NewSessionRequest,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { compileCache } from '@attractor/base/testing';
import { parseScript, type Simulator, startSimulator } from '@attractor/simulator';
import { expect, it, onTestFinished } from 'vitest';
import { ANYWHERE, COMMAND, makeFolder } from './attractor.ts';

const STEPS = [{ content: 'Change it', status: 'in_progress', activeForm: 'Changing it' }];

const WORK = [
  {
    text: 'I look.',
    toolCalls: [
      { use: 'read', path: 'notes.txt' },
      { name: 'TodoWrite', args: { todos: STEPS } },
    ],
  },
  { toolCalls: [{ use: 'edit', path: 'notes.txt', old: 'two', new: 'three' }] },
  { toolCalls: [{ use: 'shell', command: 'cat notes.txt > copy.txt' }] },
  { text: 'Done.' },
  { text: 'Still here.' },
];

/** What a person says first decides what the model does. */
const CONVERSATIONS = [
  {
    match: { lastUser: 'without end' },
    turns: [
      { text: 'On and on. '.repeat(10_000), fault: { kind: 'slow', bytes: 256, everyMs: 100 }, repeat: 'forever' },
    ],
  },
  { turns: WORK },
];

async function simulate(): Promise<Simulator> {
  const parsed = parseScript({ conversations: CONVERSATIONS });
  if (!parsed.ok) throw new Error(parsed.error.message);
  const simulator = await startSimulator({ script: parsed.script });
  onTestFinished(() => simulator.close());
  return simulator;
}

/** The official client, which allows everything, at the pipes of our command. */
function openCommand(home: string, { baseUrls }: Simulator) {
  const flags = ['acp', '--provider', 'anthropic', '--base-url', baseUrls.anthropic, ...ANYWHERE];
  const env = { PATH: '/usr/bin:/bin', HOME: home, ...compileCache(), ANTHROPIC_API_KEY: 'none' };
  const child = spawn(process.execPath, [COMMAND, ...flags], { cwd: home, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  const updates: SessionUpdate[] = [];
  const titles: string[] = [];
  const said = Promise.withResolvers<void>();
  const { agent } = client({ name: 'walk' })
    .onNotification(methods.client.session.update, ({ params }) => {
      updates.push(params.update);
      if (JSON.stringify(params.update).includes('On and on.')) said.resolve();
    })
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      titles.push(params.toolCall.title ?? '');
      return { outcome: { outcome: 'selected', optionId: 'allow' } };
    })
    .connect(ndJsonStream(Writable.toWeb(child.stdin), Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>));
  const leave = async (): Promise<unknown> => {
    child.stdin.end();
    return ended;
  };
  const prompt = (sessionId: string, text: string) =>
    agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text }] });
  return { agent, updates, titles, said: said.promise, prompt, leave };
}

it('the official client of the protocol has our command read, plan, change a file and run a command as a person allows, stops it, changes its mode, and loads the conversation in a second process', async () => {
  const simulator = await simulate();
  const [home, folder] = [makeFolder(), makeFolder()];
  writeFileSync(path.join(folder, 'notes.txt'), 'one\ntwo\n');
  const { agent, updates, titles, said, prompt, leave } = openCommand(home, simulator);
  const hello = await agent.request(methods.agent.initialize, { protocolVersion: 1 });
  expect(hello).toMatchObject({ protocolVersion: 1, agentInfo: { name: 'attractor' } });
  const at: NewSessionRequest = { cwd: folder, mcpServers: [] };
  const { sessionId } = await agent.request(methods.agent.session.new, at);
  expect(await prompt(sessionId, 'Change two to three.')).toMatchObject({ stopReason: 'end_turn' });
  expect(titles).toEqual(['Edit notes.txt', '`cat notes.txt > copy.txt`']);
  expect(readFileSync(path.join(folder, 'copy.txt'), 'utf8')).toBe('one\nthree\n');
  const content = [{ type: 'diff', oldText: 'one\ntwo\n', newText: 'one\nthree\n' }];
  expect(updates).toContainEqual(
    expect.objectContaining({ status: 'completed', content: [expect.objectContaining(content[0])] }),
  );
  expect(updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'plan' }));
  expect(updates.map(({ sessionUpdate }) => sessionUpdate)).toEqual(
    expect.arrayContaining(['agent_message_chunk', 'tool_call', 'available_commands_update', 'usage_update']),
  );
  const { sessionId: other } = await agent.request(methods.agent.session.new, at);
  const endless = prompt(other, 'Go on without end.');
  await said;
  await agent.notify(methods.agent.session.cancel, { sessionId: other });
  expect(await endless).toMatchObject({ stopReason: 'cancelled' });
  await agent.request(methods.agent.session.setMode, { sessionId, modeId: 'plan' });
  await expect.poll(() => updates).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' });
  expect(await leave()).toEqual([0, null]);

  const second = openCommand(home, simulator);
  await second.agent.request(methods.agent.initialize, { protocolVersion: 1 });
  expect(await second.agent.request(methods.agent.session.load, { sessionId, ...at })).toMatchObject({
    modes: expect.anything(),
  });
  expect(JSON.stringify(second.updates)).toMatch(/Change two to three\..*I look\..*Done\./);
  expect(await second.prompt(sessionId, 'Still there?')).toMatchObject({ stopReason: 'end_turn' });
  expect(JSON.stringify(second.updates)).toContain('Still here.');
  expect(simulator.failures()).toEqual([]);
  expect(await second.leave()).toEqual([0, null]);
});
