import path from 'node:path';
import { createApiClient } from '@attractor/api';
import { composeServer } from '@attractor/server';
import { sharedDatabase } from '@attractor/store/testing';
import { expect, onTestFinished, test } from 'vitest';
import { ANYWHERE, makeFolder, startAttractor, until } from './attractor.ts';
import { fillRepository, git, startModel, walkCodingRows } from './walk-coding-rows.ts';

/** A bare remote, and a clone of it where the server is. */
function makeRemote() {
  const [first, folder] = [makeFolder(), makeFolder()];
  fillRepository(first);
  const [remote, clone] = [path.join(folder, 'remote.git'), path.join(folder, 'clone')];
  git(folder, 'clone', '-q', '--bare', '--', first, remote);
  git(folder, 'clone', '-q', '--', remote, clone);
  return { remote, clone };
}

/** A server that works on nothing, in this process, and machines that do, each with a home of its own. */
async function makeWorld() {
  const model = await startModel();
  const env = { ATTRACTOR_DATABASE_URL: await sharedDatabase(), ANTHROPIC_API_KEY: 'none' };
  const composed = await composeServer({ home: makeFolder(), env, concurrency: 0 });
  if (!composed.ok) throw new Error(composed.error.message);
  onTestFinished(() => composed.value.close());
  const { url, token, workflow } = composed.value;
  const flags = ['worker', ...model.flags, '--concurrency', '2', ...ANYWHERE];
  const machine = (home = makeFolder()) => ({
    start: () => startAttractor(flags, { home, env: { ...env, ATTRACTOR_HOME: home } }),
  });
  return {
    client: createApiClient({ baseUrl: url, token }),
    workflow,
    failures: model.failures,
    machines: [machine(), machine()] as const,
  };
}

test('every checkpoint of coding sessions of every kind is answered over HTTP after its worker was killed, and another machine goes on', async () => {
  const { client, workflow, failures, machines } = await makeWorld();
  const { remote, clone } = makeRemote();
  const project = await client.projects.create({ path: clone });
  if (!project.ok) throw new Error(project.error.message);
  let [now, next] = machines;
  let worker = now.start();
  await walkCodingRows({
    client: () => client,
    startChecked: async ({ start: { request, pipeline = '' }, check }) => {
      const wanted = { projectId: project.value.id, title: request, pipelineId: pipeline };
      const task = await workflow.startCoding({ ...wanted, overrides: { checks: [check] } }, { type: 'user' });
      return task.ok ? task.value.id : task.error.message;
    },
    allWait: async () => {
      // A run that waits is soon nobody's: only then can another machine take it up at once.
      await until(async () => {
        const queue = await client.queue.state();
        return queue.ok && queue.value.running === 0 ? true : undefined;
      }, 'the worker to hold nothing');
      worker.child.kill('SIGKILL');
      await worker.ended;
    },
    allAnswered: async () => {
      [now, next] = [next, now];
      worker = now.start();
    },
    git: (...args) => git(remote, ...args),
  });
  worker.child.kill('SIGKILL');
  await worker.ended;
  // Each machine went on in the conversation of the other, and asked nothing again.
  expect(failures()).toEqual([]);
});
