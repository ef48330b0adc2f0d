import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { composeServer } from '@attractor/server';
import { tellAtEach } from './memory-of-many.ts';

/**
 * A server that also works, with our own loop: `node many-runs-server-child.ts HOME PROJECT_PATH MODEL COUNT…`. Each run begins and is looked at
 * over HTTP, while a viewer of everything comes and goes.
 */
const [home = '', path = '', baseUrl = '', ...counts] = process.argv.slice(2);
const composed = await composeServer({
  home,
  env: process.env,
  llm: { providers: { anthropic: { apiKey: 'test-key-0001', baseUrl } } },
  model: 'claude-sonnet-4-5',
  webRoot: null,
  allowUnsandboxed: true,
  concurrency: 4,
});
if (!composed.ok) throw new Error(composed.error.message);
const { url, token, workflow, close } = composed.value;
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const person = { type: 'user', name: 'Ada' } as const;
const project = await workflow.createProject({ path }, person);
if (!project.ok) throw new Error(project.error.message);

/** On a connection of its own: one that is kept may be closed in the moment in which it is used. */
async function ask(place: string, body?: object): Promise<unknown> {
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request(`${url}/api${place}`, { method, headers, agent: false });
  asked.end(body === undefined ? undefined : JSON.stringify(body));
  const [answer]: IncomingMessage[] = await once(asked, 'response');
  if (answer === undefined) throw new Error(`${method} ${place}: no answer`);
  const told = await text(answer);
  if (answer.statusCode !== 200 && answer.statusCode !== 201)
    throw new Error(`${method} ${place}: ${answer.statusCode} ${told}`);
  return JSON.parse(told);
}

await tellAtEach(counts, {
  begin: async (number) => {
    const overrides = { permissionMode: 'bypassPermissions' } as const;
    const input = { projectId: project.value.id, title: `Run ${number}`, pipelineId: 'simple', overrides };
    const task = await workflow.createTask(input, person);
    if (!task.ok) throw new Error(task.error.message);
    await ask(`/tasks/${task.value.id}/runs`, { mode: 'implement' });
    return task.value.id;
  },
  untilAllEnded: async () => {
    const viewer = get(`${url}/api/events`, { headers, agent: false }, (events) => events.resume());
    viewer.on('error', () => undefined);
    for (;;) {
      await Promise.all(['/tasks', '/inbox', '/queue'].map((place) => ask(place)));
      if ((await workflow.listRuns({ status: 'running' })).length === 0) break;
      await sleep(200);
    }
    viewer.destroy();
  },
  closeTask: (taskId) => workflow.closeTask({ taskId }, person),
  supervise: workflow.superviseOnce,
  path,
});
await close();
