import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { askPerson } from '@attractor/pipeline';
import {
  appendEvents,
  listDeliveries,
  listEvents,
  type NewEvent,
  openStore,
  type Project,
  type Prompt,
  type Store,
  type Task,
} from '@attractor/store';
import { makeFolder, must, PERSON, putProject, putTask, runRow } from '@attractor/store/testing';
import { openedDatabase } from '../../test-support/opened-database.ts';
import { type NotifierOptions, startNotifier } from '@attractor/notify';
import { type Receiver, signatureOf, startReceiver } from '@attractor/notify/testing';
import { createPromptCommands } from '../prompts/commands.ts';
import { createNotifyCommands } from './notify.ts';
import type { NotifyCommands } from './contract.ts';

type World = {
  readonly home: string;
  readonly store: Store;
  readonly task: Task;
  readonly project: Project;
  readonly commands: NotifyCommands;
  /** One that ends with the test. */
  readonly notify: (more?: Partial<NotifierOptions>) => () => Promise<void>;
  readonly fail: (count: number) => Promise<void>;
};

const PACE = { sendMs: 60_000, firstWaitMs: 20 };

async function makeWorld(databaseUrl?: string): Promise<World> {
  const home = makeFolder();
  const store = must(await openStore(databaseUrl === undefined ? { home } : { databaseUrl }));
  onTestFinished(() => store.close());
  const project = await putProject(store);
  const task = await putTask(store, project, { title: 'Fix it' });
  const unexpected: unknown[] = [];
  onTestFinished(() => expect(unexpected).toEqual([]));
  return {
    home,
    store,
    task,
    project,
    commands: createNotifyCommands({
      store,
      home,
      env: {},
      answerPrompt: createPromptCommands({ store, defaultAgentType: 'scripted' }).answerPrompt,
    }),
    notify: (more = {}) => {
      const notifier = startNotifier({
        store,
        home,
        env: {},
        pace: PACE,
        onUnexpected: (e) => unexpected.push(e),
        ...more,
      });
      onTestFinished(() => notifier.close());
      return notifier.close;
    },
    fail: async (count) => {
      const one = { projectId: project.id, taskId: task.id, type: 'agent.retries_exhausted', actor: PERSON } as const;
      for (let index = 0; index < count; index += 1)
        await store.transact((tx) => appendEvents(tx, [{ ...one, summary: `failure ${index}` }]));
    },
  };
}

type Happened = 'agent.started' | 'agent.failed' | 'agent.completed' | 'agent.retries_exhausted' | 'status.changed';

function happened({ project, task }: World, type: Happened): NewEvent {
  const about = { projectId: project.id, taskId: task.id, summary: type, actor: PERSON };
  if (type === 'agent.retries_exhausted') return { ...about, type };
  return type === 'status.changed'
    ? { ...about, type, data: { task } }
    : { ...about, type, data: { run: runRow(task) } };
}

async function addWebhook(world: World, receiver: Receiver, more: object = {}): Promise<string> {
  const saved = must(
    await world.commands.saveChannel(
      { name: 'team', channel: { type: 'webhook', url: receiver.url, ...more } },
      PERSON,
    ),
  );
  return saved.secret ?? '';
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 600_000;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const statesOf = async ({ store }: World) =>
  (await listDeliveries(store.read, { limit: 1_000 })).map(({ state }) => state).toReversed();

const APPROVAL = { toolCallId: 'c1', toolName: 'shell', input: {} };

function ask({ store, project, task }: World, title = 'May I?'): Promise<Prompt> {
  return store.transact((tx) =>
    askPerson(
      tx,
      { taskId: task.id, runId: null, key: null, type: 'tool_approval', title, payload: APPROVAL },
      { projectId: project.id, actor: PERSON },
    ),
  );
}

describe.each([
  ['SQLite', async () => makeWorld()],
  ['PostgreSQL', async () => makeWorld(await openedDatabase())],
])('on %s', (_name, make) => {
  it('tells of what happened since the channel was made, once, in order, signed', async () => {
    const [world, receiver] = [await make(), await startReceiver()];
    await world.fail(2);
    const secret = await addWebhook(world, receiver);
    await world.fail(3);
    world.notify();
    world.notify();
    const calls = await receiver.until(3);
    await until(async () => (await statesOf(world)).every((state) => state === 'sent'));
    expect(calls.map(({ json }) => json['body'])).toEqual(['failure 0', 'failure 1', 'failure 2']);
    for (const { headers, text, json } of calls) {
      const timestamp = String(headers['x-attractor-timestamp']);
      expect(headers['x-attractor-signature']).toBe(signatureOf(secret, timestamp, text));
      expect(headers['x-attractor-delivery']).toBe(json['id']);
    }
    expect(calls).toHaveLength(3);
  });

  it('tries a failing channel again, gives up in the end, and tells of that once', async () => {
    const [world, receiver] = [await make(), await startReceiver()];
    await addWebhook(world, receiver);
    receiver.behave(400);
    await world.fail(3);
    world.notify();
    await until(async () => (await statesOf(world)).join() === 'given_up,given_up,given_up');
    const told = await listEvents(world.store.read, { type: ['notify.channel_failing'] });
    expect(told.map(({ data }) => 'channel' in data && data.channel)).toEqual(['team']);
    receiver.behave(503);
    await world.fail(1);
    await receiver.until(5);
    receiver.behave(200);
    await until(async () => (await statesOf(world)).at(-1) === 'sent');
    expect(must(await world.commands.notifySettings()).channels[0]?.failing).toBe(false);
  });

  it('answers a prompt by the address that the webhook carries: once, for what was shown, and for nothing else', async () => {
    const [world, receiver] = [await make(), await startReceiver()];
    await addWebhook(world, receiver);
    must(await world.commands.saveNotifyPreferences({ publicUrl: 'https://app.test/' }, PERSON));
    world.notify();
    const [prompt, other] = [await ask(world), await ask(world, 'And this?')];
    const calls = await receiver.until(2);
    const reply = calls[0]?.json['replies'];
    expect(reply).toEqual([
      {
        promptId: prompt.id,
        promptType: 'tool_approval',
        contentHash: prompt.contentHash,
        decisions: ['approve', 'reject'],
        url: `https://app.test/api/prompts/${prompt.id}/respond`,
        token: expect.stringMatching(/^[\w-]{43}$/),
      },
    ]);
    const token = /"token":"([\w-]+)"/.exec(JSON.stringify(reply))?.[1] ?? '';
    const answer = { decision: 'approve' } as const;
    const { replyToPrompt } = world.commands;
    expect(await replyToPrompt({ promptId: other.id, token, answer })).toMatchObject({ ok: false });
    expect(await replyToPrompt({ promptId: prompt.id, token: `${token}x`, answer })).toMatchObject({
      ok: false,
      error: { code: 'unavailable' },
    });
    const answers = await Promise.all([1, 2, 3].map(() => replyToPrompt({ promptId: prompt.id, token, answer })));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(1);
    for (const refused of answers.filter(({ ok }) => !ok))
      expect(refused).toMatchObject({ error: { code: 'conflict', message: expect.stringContaining('already') } });
    const log = JSON.stringify(await listEvents(world.store.read, {}));
    expect(log).toContain('reply:team');
    expect(log).not.toContain(token);
  });
});

describe('a channel', () => {
  it('that hangs, or drips its answer for ever, holds up neither others nor the end of the process', async () => {
    const world = await makeWorld();
    const [dead, slow, good] = [await startReceiver(), await startReceiver(), await startReceiver()];
    dead.behave('hang');
    slow.behave((response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      const drip = setInterval(() => response.write('x'), 5);
      response.on('close', () => clearInterval(drip));
    });
    const save = (name: string, { url }: Receiver) =>
      world.commands.saveChannel({ name, channel: { type: 'slack', url } }, PERSON);
    for (const [name, receiver] of Object.entries({ dead, slow, good })) must(await save(name, receiver));
    const close = world.notify();
    await world.fail(5);
    await good.until(5);
    await dead.until(1);
    await slow.until(1);
    await close();
    const left = await listDeliveries(world.store.read, { channel: 'dead' });
    expect(left.map(({ state, attempts }) => [state, attempts])).toEqual(left.map(() => ['due', 0]));
    expect(left).toHaveLength(5);
  });

  it('that sends somewhere else is not followed there', async () => {
    const [world, receiver, elsewhere] = [await makeWorld(), await startReceiver(), await startReceiver()];
    receiver.behave((response) => response.writeHead(307, { location: elsewhere.url }).end());
    await addWebhook(world, receiver);
    await world.fail(1);
    world.notify();
    await until(async () => (await statesOf(world)).join() === 'given_up');
    expect(elsewhere.received).toEqual([]);
  });

  it('hears nothing in quiet hours but what is critical, and the rest as one message after', async () => {
    const [world, receiver] = [await makeWorld(), await startReceiver()];
    await addWebhook(world, receiver);
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'UTC' };
    must(await world.commands.saveNotifyPreferences({ quietHours }, PERSON));
    let now = new Date('2026-01-01T23:00:00Z');
    world.notify({ clock: () => now });
    const answered = await ask(world, 'Answered meanwhile');
    for (const type of ['agent.failed', 'agent.completed', 'status.changed', 'agent.retries_exhausted'] as const)
      await world.store.transact((tx) => appendEvents(tx, [happened(world, type)]));
    await receiver.until(1);
    expect(receiver.received.map(({ json }) => json['body'])).toEqual(['agent.retries_exhausted']);
    await until(async () => (await statesOf(world)).join() === 'held,held,held,sent');
    await world.store.transact((tx) =>
      tx.updateTable('prompts').set({ status: 'answered' }).where('id', '=', answered.id).execute(),
    );
    now = new Date('2026-01-02T07:00:00Z');
    const digest = (await receiver.until(2))[1];
    expect(digest?.json).toMatchObject({
      type: 'digest',
      body: 'p: PRJ-1 Fix it: agent.failed\np: PRJ-1 Fix it: agent.completed',
    });
    await until(async () => (await statesOf(world)).join() === 'dropped,digested,digested,sent,sent');
  });

  it('gets very many as one', async () => {
    const [world, receiver] = [await makeWorld(), await startReceiver()];
    await addWebhook(world, receiver);
    await world.fail(50);
    world.notify();
    await receiver.until(1);
    await until(async () => (await statesOf(world)).every((state) => state === 'sent' || state === 'digested'));
    expect(receiver.received.map(({ json }) => json['type'])).toEqual(['digest']);
    expect(receiver.received[0]?.json['items']).toHaveLength(50);
  });

  it('is told everything though its senders are killed again and again', async () => {
    const [world, receiver] = [await makeWorld(), await startReceiver()];
    await addWebhook(world, receiver);
    receiver.behave((response) => setTimeout(() => response.writeHead(200).end(), 30));
    let killed = 0;
    for (let round = 0; round < 2; round += 1) {
      const child = spawn(process.execPath, [
        join(import.meta.dirname, '../../test-support/notify-child.ts'),
        world.home,
      ]);
      await once(child.stdout, 'data');
      const before = receiver.received.length;
      await world.fail(6);
      await receiver.until(before + 1 + round);
      child.kill('SIGKILL');
      await once(child, 'exit');
      killed += 1;
    }
    world.notify();
    await until(
      async () => (await statesOf(world)).length === 6 * killed && (await statesOf(world)).every((s) => s === 'sent'),
    );
    const ids = receiver.received.map(({ json }) => json['id']);
    expect(new Set(ids).size).toBe(6 * killed);
    expect(ids.length).toBeLessThanOrEqual(7 * killed);
  });

  it('is silent for a project that says so, and for types that it does not want', async () => {
    const [world, receiver] = [await makeWorld(), await startReceiver()];
    await addWebhook(world, receiver, { types: { 'agent.started': false, 'task.status_changed': true } });
    const config = JSON.stringify({ notifications: { agentFailed: false } });
    await world.store.transact((tx) => tx.updateTable('projects').set({ config }).execute());
    for (const type of ['agent.failed', 'agent.started', 'status.changed'] as const)
      await world.store.transact((tx) => appendEvents(tx, [happened(world, type)]));
    world.notify();
    await receiver.until(1);
    await until(async () => (await statesOf(world)).join() === 'sent');
    expect(receiver.received.map(({ json }) => json['body'])).toEqual(['status.changed']);
  });
});

describe('secrets', () => {
  it('of channels are in one file that only its owner can read, and in no event, delivery or message', async () => {
    const [world, receiver] = [await makeWorld(), await startReceiver()];
    const url = `${receiver.url}/T000/B000/abcdefghijklmnop`;
    const secret = await addWebhook(world, { ...receiver, url });
    const file = join(world.home, 'notifications.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toContain(secret);
    receiver.behave((response) => response.writeHead(400).end(`bad call to ${url} signed by ${secret}`));
    const { store, project, task } = world;
    await store.transact((tx) =>
      appendEvents(tx, [
        {
          projectId: project.id,
          taskId: task.id,
          type: 'agent.retries_exhausted',
          summary: `posted to ${url} with sk-ant-api03-${'x'.repeat(80)}AA`,
          actor: PERSON,
        },
      ]),
    );
    expect(await world.commands.testChannel('team', PERSON)).toMatchObject({
      ok: false,
      error: { code: 'unavailable', message: expect.stringContaining('400') },
    });
    world.notify();
    await until(async () => (await statesOf(world)).join() === 'given_up');
    const tables = ['deliveries', 'notify_cursors', 'prompt_replies'] as const;
    const rows = await Promise.all(tables.map((table) => store.read.selectFrom(table).selectAll().execute()));
    const events = await listEvents(store.read, { after: 1 });
    const ours = events.filter(({ type }) => type.startsWith('notify.'));
    const shown = JSON.stringify([rows, ours, must(await world.commands.notifySettings())]);
    for (const hidden of [url, secret, 'sk-ant-api03']) expect(shown).not.toContain(hidden);
    expect(receiver.received.map(({ text }) => text).join()).not.toContain('sk-ant-api03');
  });

  it('stay when something else of the channel is changed, and go with it', async () => {
    const [world, receiver] = [await makeWorld(), await startReceiver()];
    const secret = await addWebhook(world, receiver);
    const changed = await world.commands.saveChannel(
      { name: 'team', channel: { type: 'webhook', quietHours: 'none' } },
      PERSON,
    );
    expect(must(changed)).toMatchObject({
      secret: null,
      channel: { quietHours: 'none', target: new URL(receiver.url).host },
    });
    const file = join(world.home, 'notifications.json');
    expect(readFileSync(file, 'utf8')).toContain(secret);
    must(await world.commands.removeChannel('team', PERSON));
    expect(readFileSync(file, 'utf8')).not.toContain(secret);
    expect(await world.commands.removeChannel('team', PERSON)).toMatchObject({ error: { code: 'not_found' } });
    expect(await world.commands.testChannel('team', PERSON)).toMatchObject({ error: { code: 'not_found' } });
    writeFileSync(file, '{');
    expect(await world.commands.notifySettings()).toMatchObject({ error: { code: 'invalid' } });
  });
});

describe('many changes of settings at once', () => {
  it('lose none of them', async () => {
    const world = await makeWorld();
    const names = Array.from({ length: 20 }, (_, index) => `c${index}`);
    await Promise.all(names.map((name) => world.commands.saveChannel({ name, channel: { type: 'desktop' } }, PERSON)));
    const saved = must(await world.commands.notifySettings()).channels.map(({ name }) => name);
    expect(saved.toSorted()).toEqual(names.toSorted());
  });
});
