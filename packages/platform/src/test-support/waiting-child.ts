import { finishJob, listTasks, openStore, type Result } from '@attractor/store';
import { openPlatformOn } from '../platform.ts';
import { claimNext } from '../queue/claim.ts';
import { unconfined } from '../run-context/confinement.ts';
import { putCodingProject, putRuns, putWaiting } from './waiting-rows.ts';

/**
 * What a process needs beside runs that wait for a person: `node waiting-child.ts HOME COUNT`. Four other runs are at work. Prints
 * `{"claim", "board", "inbox", "status"}` in milliseconds of CPU time each, and `{"rssMb"}`.
 */
const [home = '', countText = '0'] = process.argv.slice(2);
const TIMES = 30;

const store = must(await openStore({ home }));
const project = await putCodingProject(store);
await putWaiting(store, project, Number(countText));
await putRuns(store, project, 4);
await claimNext(store, { owner: 'at work' }, { room: 4, expectsWork: true });
const platform = must(
  await openPlatformOn(store, { home, agents: [], env: process.env, confine: unconfined, concurrency: 0 }),
);
const { workflow } = platform;
const page = (await listTasks(store.read, { limit: 50 })).map(({ id }) => id);

const LOOKS: Readonly<Record<string, () => Promise<unknown>>> = {
  claim: async () => {
    await putRuns(store, project, 1);
    const { claims } = await claimNext(store, { owner: 'next' }, { room: 1, expectsWork: true });
    for (const claim of claims) await store.transact((tx) => finishJob(tx, claim));
  },
  board: () => workflow.taskStates(page),
  inbox: () => workflow.inbox({}),
  status: async () => {
    const underWay = { status: 'running', unlessWaiting: true } as const;
    const running = await workflow.listRuns({ ...underWay, limit: 50 });
    await Promise.all([workflow.inbox({}), workflow.queueState({ limit: 0 }), workflow.providerLimits()]);
    if (running.length === 50) await workflow.countRuns(underWay);
    return workflow.taskStates(running.map(({ taskId }) => taskId));
  },
};

const told: Record<string, number> = {};
for (const [name, look] of Object.entries(LOOKS)) {
  for (let index = 0; index < 3; index += 1) await look();
  const before = process.cpuUsage();
  for (let index = 0; index < TIMES; index += 1) await look();
  const { user, system } = process.cpuUsage(before);
  told[name] = (user + system) / 1000 / TIMES;
}
globalThis.gc?.();
process.stdout.write(`${JSON.stringify({ ...told, rssMb: process.memoryUsage().rss / 1e6 })}\n`);
await platform.close();

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
