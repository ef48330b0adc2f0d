import { createServer } from 'node:http';
import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, type Platform, unconfined } from '@attractor/platform';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newFolder, newRepository } from './test-support/real-world.ts';
import { serve, type Served } from './test-support/serve.ts';

const PERSON = { type: 'user', name: 'Ada' } as const;
const JSON_HEADERS = { 'content-type': 'application/json' };

function must<Value>(result: { readonly ok: true; readonly value: Value } | { readonly ok: false }): Value {
  if (!result.ok) throw new Error(JSON.stringify(result));
  return result.value;
}

type Reply = { readonly url: string; readonly token: string };

/** A real server and platform, and a receiver of webhooks that keeps the address to reply to. */
async function start(): Promise<{ server: Served; platform: Platform; ask: () => Promise<Reply> }> {
  const home = newFolder();
  const plan = {
    steps: [
      { do: 'output', text: '1. Change the minus.' },
      { do: 'outcome', outcome: 'plan_complete' },
    ],
  } as const;
  const agents = [createScriptedAgent([plan])];
  const platform = must(await openPlatform({ home, agents, env: process.env, confine: unconfined }));
  onTestFinished(() => platform.close());
  const server = await serve({ workflow: platform.workflow });
  onTestFinished(() => server.close(100));
  const received = Promise.withResolvers<Reply>();
  const receiver = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      const [, url, token] = /"url":"([^"]+)","token":"([^"]+)"/.exec(text) ?? [];
      if (url !== undefined && token !== undefined) received.resolve({ url, token });
      response.end();
    });
  });
  const listening = Promise.withResolvers<void>();
  receiver.listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  onTestFinished(() => {
    receiver.closeAllConnections();
    receiver.close();
  });
  const address = receiver.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const channel = { type: 'webhook', url: `http://127.0.0.1:${port}/` };
  must(await platform.workflow.saveNotifyPreferences({ publicUrl: server.url }, PERSON));
  must(await platform.workflow.saveChannel({ name: 'hook', channel }, PERSON));
  const ask = async () => {
    const project = must(await platform.workflow.createProject({ path: newRepository() }, PERSON));
    const task = must(
      await platform.workflow.createTask({ projectId: project.id, title: 'Sum', pipelineId: 'coding' }, PERSON),
    );
    must(await platform.workflow.transition({ taskId: task.id, to: 'planning' }, PERSON));
    return received.promise;
  };
  return { server, platform, ask };
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, body: JSON.stringify(body) });

describe('a reply to a webhook', () => {
  it('answers the question it came with; whoever comes second is told so, and no other right goes with it', async () => {
    const { server, platform, ask } = await start();
    const { url: address, token } = await ask();
    expect(address.startsWith(`${server.url}/api/prompts/prm_`)).toBe(true);
    const { search, pathname } = new URL(address);
    expect(search).toBe('');
    // As a message of an earlier version told it.
    const url = `${address}?token=${token}`;
    const answer = { decision: 'approve' };

    for (const path of ['/api/tasks', '/api/prompts', pathname.replace('/respond', '')])
      expect((await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } })).status).toBe(401);
    expect(
      (await post(`${server.url}${pathname.replace('/respond', '/answer')}?token=${token}`, { answer })).status,
    ).toBe(401);
    expect((await post(`${server.url}/api/prompts/prm_other/respond?token=${token}`, { answer })).status).toBe(401);
    expect((await post(server.url + pathname, { answer })).status).toBe(401);
    expect((await post(url, { answer: { ...answer, plan: 'something else' } })).status).toBe(403);
    expect((await post(url, { answer: { decision: 'sure' } })).status).toBe(400);
    expect((await post(url, { answer }, { 'content-type': 'text/plain' })).status).toBe(415);
    expect((await post(url, { answer }, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await platform.workflow.listPrompts({ status: 'pending' })).length).toBe(1);

    const taken = await post(server.url + pathname, { answer }, { authorization: `Bearer ${token}` });
    expect([taken.status, await taken.json()]).toEqual([200, { status: 'answered', decision: 'approve' }]);
    const second = await post(url, { answer: { decision: 'reject' } });
    expect(second.status).toBe(409);
    expect(JSON.stringify(await second.json())).toMatch(/already/);
    const [prompt] = await platform.workflow.listPrompts();
    expect(prompt).toMatchObject({ status: 'answered', answer: { decision: 'approve' } });
    const events = await platform.workflow.events({ type: ['prompt.answered'] });
    expect(events.map(({ actor }) => actor)).toEqual([{ type: 'user', name: 'reply:hook' }]);
  });

  it('with a wrong token is refused, and slowed down after many', async () => {
    const { server } = await start();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt += 1) {
      const url = `${server.url}/api/prompts/prm_1/respond?token=wrong${attempt}`;
      statuses.push((await post(url, { answer: { decision: 'approve' } })).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429]);
  });
});
