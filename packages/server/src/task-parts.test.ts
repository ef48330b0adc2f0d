import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiClient, type ApiClient, type Answer, type Task } from '@attractor/api';
import { checkAnswers } from './test-support/check-answers.ts';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { composeApp, type ComposedApp } from './compose.ts';
import { listen } from './listen.ts';

let folder: string;
let composed: ComposedApp;
let client: ApiClient;
let projectId: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'attractor-parts-'));
  const git = (...args: ReadonlyArray<string>) => execFileSync('git', ['-C', folder, ...args]);
  git('init', '--quiet', '-b', 'main');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.test', 'commit', '--quiet', '--allow-empty', '-m', 'first');
  const made = await composeApp({ home: join(folder, 'home'), env: {}, llm: {}, concurrency: 0 });
  if (!made.ok) throw new Error(made.error.message);
  composed = made.value;
  client = createApiClient({
    baseUrl: 'http://127.0.0.1',
    token: composed.token,
    fetch: async (request) => checkAnswers(composed.app).fetch(request),
  });
  projectId = must(await client.projects.create({ path: folder })).id;
});

afterAll(async () => {
  await composed.close();
  rmSync(folder, { recursive: true, force: true });
});

function must<Value>(answer: Answer<Value>): Value {
  if (!answer.ok) throw new Error(`${answer.error.code}: ${answer.error.message}`);
  return answer.value;
}

async function newTask(title = 'A task'): Promise<Task> {
  return must(await client.tasks.create({ projectId, title, pipelineId: 'simple' }));
}

function call(path: string, init: Omit<RequestInit, 'headers'> & { readonly headers?: Record<string, string> } = {}) {
  const headers = { authorization: `Bearer ${composed.token}`, ...init.headers };
  return composed.app.fetch(new Request(`http://127.0.0.1${path}`, { ...init, headers }));
}

describe('a task over HTTP', () => {
  it('is filtered, changed at the version that was seen, moved to its place and deleted', async () => {
    const [one, other] = [await newTask('Findable by its words'), await newTask()];
    const edited = must(
      await client.tasks.update(one.id, { tags: ['a', 'b'], priority: 'high', version: one.version }),
    );
    expect(edited).toMatchObject({ tags: ['a', 'b'], priority: 'high' });
    const late = await client.tasks.update(one.id, { title: 'Late', version: one.version });
    expect(late).toMatchObject({ ok: false, error: { code: 'conflict' } });
    const found = must(await client.tasks.list({ projectId, tags: 'b,c', priority: 'high,low', status: 'open' }));
    expect(found.map(({ id }) => id)).toEqual([one.id]);
    expect(must(await client.tasks.place(one.id, other.id)).sortOrder).toBeGreaterThan(other.sortOrder);
    must(await client.tasks.place(other.id, null));
    const page = must(await client.tasks.page({ projectId, limit: 1 }));
    expect([page.tasks.map(({ id }) => id), page.next]).toEqual([[other.id], other.id]);
    expect(must(await client.tasks.page({ projectId, after: other.id })).tasks.map(({ id }) => id)).toContain(one.id);
    expect(must(await client.tasks.delete(one.id))).toEqual({ done: true });
    expect(await client.tasks.get(one.id)).toMatchObject({ ok: false, error: { code: 'not_found' } });
  });

  it('names the path of what is wrong, and what is expected there', async () => {
    const { id } = await newTask();
    const wrong = async (body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await call(`/api/tasks/${id}`, { method: 'PATCH', headers, body: JSON.stringify(body) });
      return [response.status, JSON.stringify(await response.json())] as const;
    };
    for (const [body, words] of [
      [{ priority: 'soon' }, ['priority:', 'critical']],
      [{ acceptanceCriteria: [{ text: 'x', met: 'no' }] }, ['acceptanceCriteria.0.met:', 'boolean']],
      [{ status: 'done' }, ['status']],
      [{ sourceUrl: 'javascript:alert(1)' }, ['sourceUrl:']],
    ] as const) {
      const [status, text] = await wrong(body);
      expect([status, words.filter((word) => !text.includes(word))]).toEqual([400, []]);
    }
  });

  it('answers 404 for what belongs to a task that is not there, not an empty list', async () => {
    for (const part of ['transitions', 'history', 'phases', 'notes', 'dependencies', 'attachments', 'artifacts'])
      expect([part, (await call(`/api/tasks/tsk_none/${part}`)).status]).toEqual([part, 404]);
  });

  it('changes many, each for itself', async () => {
    const [one, other] = [await newTask(), await newTask()];
    const result = must(
      await client.tasks.bulkUpdate({ taskIds: [one.id, 'tsk_none', other.id], edit: { size: 'xl' } }),
    );
    expect(result.done).toEqual([one.id, other.id]);
    expect(result.refused).toMatchObject([{ taskId: 'tsk_none' }]);
    expect(must(await client.tasks.bulkDelete([one.id, other.id])).done).toHaveLength(2);
  });

  it('is gone from the views once it, or its project, is deleted', async () => {
    const { id } = await newTask();
    expect(must(await client.tasks.listView()).rows[id]).toBeDefined();
    must(await client.tasks.delete(id));
    expect(must(await client.tasks.listView()).rows[id]).toBeUndefined();
    expect(await client.tasks.view(id)).toMatchObject({ ok: false, error: { code: 'not_found' } });
    const second = mkdtempSync(join(tmpdir(), 'attractor-parts-second-'));
    execFileSync('git', ['clone', '--quiet', folder, second]);
    const project = must(await client.projects.create({ path: second }));
    const task = must(await client.tasks.create({ projectId: project.id, title: 'Goes with it' }));
    expect(must(await client.projects.info(project.id)).tasks).toEqual({ open: 1 });
    expect(must(await client.projects.delete(project.id))).toEqual({ tasks: 1 });
    const view = must(await client.tasks.listView());
    expect([view.rows[task.id], view.projects[project.id]]).toEqual([undefined, undefined]);
    rmSync(second, { recursive: true, force: true });
  });
});

describe('what belongs to a task over HTTP', () => {
  it('has notes, and dependencies that close no circle', async () => {
    const [one, other] = [await newTask('One'), await newTask('Other')];
    const note = must(await client.notes.add(one.id, 'Seen'));
    expect(must(await client.notes.list(one.id))).toEqual([note]);
    must(await client.dependencies.add(one.id, other.id));
    expect(await client.dependencies.add(other.id, one.id)).toMatchObject({ ok: false, error: { code: 'invalid' } });
    expect(must(await client.dependencies.list(one.id)).dependsOn.map(({ id }) => id)).toEqual([other.id]);
    const graph = must(await client.dependencies.graph(projectId));
    expect(graph.edges).toContainEqual({ taskId: one.id, dependsOnId: other.id });
    expect(graph.tasks.map(({ id }) => id)).toEqual(expect.arrayContaining([one.id, other.id]));
    expect(must(await client.dependencies.remove(one.id, other.id))).toEqual({ done: true });
  });

  it('has artifacts and templates', async () => {
    const { id } = await newTask();
    const link = must(await client.artifacts.add(id, { type: 'link', label: 'RFC', url: 'https://example.test/' }));
    expect(must(await client.artifacts.update(link.id, { label: 'Final' })).label).toBe('Final');
    must(await client.artifacts.remove(link.id));
    expect(must(await client.artifacts.list(id))).toEqual([]);
    const view = must(await client.tasks.view(id));
    expect(view.artifacts).toEqual([]);
    const template = must(await client.templates.save({ name: 'Docs', fields: { tags: ['docs'] } }));
    expect(must(await client.templates.get('Docs'))).toEqual(template);
    expect(must(await client.tasks.create({ projectId, title: 'x', template: 'Docs' })).tags).toEqual(['docs']);
    must(await client.templates.delete(template.id));
  });

  it('has files, which a browser saves and never shows', async () => {
    const { id } = await newTask();
    const content = new TextEncoder().encode('<script>alert(1)</script>');
    const file = must(await client.attachments.add(id, { name: 'é"\n; x.html', mediaType: 'text/html', content }));
    const response = await call(`/api/attachments/${file.id}`);
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(content);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%C3%A9%22%3B%20x.html");
    expect(must(await client.attachments.list(id))).toEqual([file]);
    expect(must(await client.attachments.remove(file.id))).toEqual({ done: true });
    expect((await call(`/api/attachments/${file.id}`)).status).toBe(404);
  });

  it('takes bytes only as bytes, and no more of them than there is room for', async () => {
    const { id } = await newTask();
    const send = (type: string, body: Uint8Array<ArrayBuffer>) =>
      call(`/api/tasks/${id}/attachments?name=x`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await send('application/json', new Uint8Array(2))).status).toBe(415);
    expect((await send('text/plain', new Uint8Array(2))).status).toBe(415);
    expect((await send('application/octet-stream', new Uint8Array(26 * 1024 * 1024))).status).toBe(413);
    expect((await send('application/octet-stream', new Uint8Array(2 * 1024 * 1024))).status).toBe(200);
    const note = { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: new Uint8Array(2) };
    expect((await call(`/api/tasks/${id}/notes`, note)).status).toBe(415);
    expect(must(await client.attachments.list(id))).toHaveLength(1);
  });
});

describe('the proof of a server', () => {
  it('shows that it knows the token at its own address, and tells nothing to a wrong challenge or for another address', async () => {
    const opened = await listen(composed.app, { host: '127.0.0.1', port: 0 });
    if (!opened.ok) throw new Error(opened.error.message);
    const listening = opened.value;
    onTestFinished(() => listening.close(0));
    const own = `127.0.0.1:${listening.port}`;
    const answer = async (challenge: string, at = own): Promise<unknown> =>
      (await fetch(`${listening.url}/healthz?challenge=${challenge}&at=${at}`)).json();
    const proof = await answer('a'.repeat(43));
    expect(proof).toMatchObject({ ok: true, proof: expect.stringMatching(/^[\w-]{43}$/) });
    expect(JSON.stringify(proof)).not.toContain(composed.token);
    expect(await answer('b'.repeat(43))).not.toEqual(proof);
    expect(await answer('a'.repeat(43), `localhost:${listening.port}`)).not.toEqual(proof);
    // Somebody on another port who passes the question on gets no answer to it.
    for (const at of ['127.0.0.1:1', '127.0.0.1', 'example.com:80', '', `${own}0`])
      expect(await answer('a'.repeat(43), at)).toEqual({ ok: true });
    expect(await answer('short')).toEqual({ ok: true });
  });
});
