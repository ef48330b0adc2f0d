import { sharedDatabase } from '@attractor/store/testing';
import { expect, it, onTestFinished } from 'vitest';
import { composeApp } from './compose.ts';
import { must, newFolder, newRepository } from './test-support/real-world.ts';

const OWNER = { type: 'user', name: 'test' } as const;

it('characters that a database can not hold are refused or kept, in every place, and never fail the server', async () => {
  const env = { PATH: process.env['PATH'], ATTRACTOR_DATABASE_URL: await sharedDatabase() };
  const composed = await composeApp({ home: newFolder(), env, llm: {}, concurrency: 0 });
  if (!composed.ok) throw new Error(composed.error.message);
  const { app, token, workflow, close } = composed.value;
  onTestFinished(close);
  const { id: projectId } = must(await workflow.createProject({ path: newRepository() }, OWNER));
  const { id } = must(await workflow.createTask({ projectId, title: 'One' }, OWNER));
  const ask = async (method: string, path: string, body?: string | Uint8Array<ArrayBuffer>) => {
    const headers = { authorization: `Bearer ${token}`, host: '127.0.0.1', 'content-type': 'application/json' };
    const request = new Request(`http://127.0.0.1${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const response = await app.fetch(request);
    return { status: response.status, text: await response.text() };
  };
  for (const odd of ['\\u0000', '\\ud800', '\\ufffe', '\\u202e']) {
    const asked = [
      await ask('POST', '/api/tasks', `{"projectId":"${projectId}","title":"a${odd}b"}`),
      await ask('PATCH', `/api/tasks/${id}`, `{"plan":"a${odd}b"}`),
      await ask('POST', `/api/tasks/${id}/notes`, `{"text":"a${odd}b"}`),
      await ask('POST', '/coding/start', `{"request":"a${odd}b"}`),
    ];
    expect([odd, asked.filter(({ status }) => status >= 500)]).toEqual([odd, []]);
  }
  for (const path of ['/api/tasks/%00', '/api/tasks?search=%00', '/api/users/%00', `/api/tasks/${id}%00/events`])
    expect([path, (await ask('GET', path)).status]).toEqual([
      path,
      expect.toSatisfy((status) => status >= 400 && status < 500),
    ]);
  expect(await ask('POST', '/api/tasks', `{"projectId":"${projectId}","title":"a\\u0000b"}`)).toMatchObject({
    status: 400,
    text: expect.stringContaining('title'),
  });
  const deep = '['.repeat(200_000) + ']'.repeat(200_000);
  for (const body of [`{"approved_plan":{"a":${deep}}}`, `{"answers":${deep}}`])
    expect((await ask('POST', `/coding/${id}/approve`, body)).status).toBeLessThan(500);
  const broken = Uint8Array.from([...Buffer.from(`{"projectId":"${projectId}","title":"`), 0xff, ...Buffer.from('"}')]);
  expect(await ask('POST', '/api/tasks', broken)).toMatchObject({
    status: 400,
    text: expect.stringContaining('UTF-8'),
  });
});
