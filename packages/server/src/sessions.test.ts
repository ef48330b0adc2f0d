import { createApiClient } from '@attractor/api';
import { openSessions } from '@attractor/journal';
import { eventsOf } from '@attractor/journal/testing';
import { expect, it } from 'vitest';
import { createApp } from './app.ts';
import { agentSessions } from './sessions.ts';
import { createMemoryWorkflow } from './test-support/memory-workflow.ts';
import { must, newFolder } from './test-support/real-world.ts';
import { TOKEN } from './test-support/serve.ts';

it('conversations of the machine can be listed, searched, read page by page and forked', async () => {
  const home = newFolder();
  const held = openSessions({ home }).create({ cwd: '/src/slugs' });
  if (!held.ok) throw new Error(held.error.message);
  const { id, journal } = held.value;
  for (const event of eventsOf(id, [
    { text: 'Make the slugs safe', rounds: [[300]] },
    { text: 'And now?', rounds: [] },
  ]))
    journal.append(event);
  journal.close();
  const app = createApp({ workflow: await createMemoryWorkflow(), token: TOKEN, sessions: agentSessions(home) });
  const client = createApiClient({
    baseUrl: 'http://127.0.0.1',
    token: TOKEN,
    fetch: async (request) => app.fetch(request),
  });
  expect(must(await client.sessions.list())).toMatchObject([
    { id, title: 'Make the slugs safe', cwd: '/src/slugs', turns: 6, tokens: 330, isInUse: false },
  ]);
  expect(must(await client.sessions.search({ text: 'AND NOW' }))).toMatchObject([{ session: { id }, turn: 5 }]);
  const turns = must(await client.sessions.turns(id));
  expect(turns.map(({ turn, kind }) => [turn, kind])).toEqual([
    [1, 'user'],
    [2, 'assistant'],
    [3, 'tool_results'],
    [4, 'assistant'],
    [5, 'user'],
    [6, 'assistant'],
  ]);
  expect(must(await client.sessions.turns(id, { after: 4, limit: 1 })).map(({ turn }) => turn)).toEqual([5]);
  const fork = must(await client.sessions.fork(id, { turn: 4 }));
  expect(must(await client.sessions.get(fork.id))).toMatchObject({ turns: 4, forkedFrom: { sessionId: id, turn: 4 } });
  expect(await client.sessions.get('ses_none')).toMatchObject({ ok: false, error: { code: 'not_found' } });
  expect(await client.sessions.fork(id, { turn: 99 })).toMatchObject({ ok: false });
});
