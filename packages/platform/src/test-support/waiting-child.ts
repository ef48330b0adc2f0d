import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { finishJob, listTasks, openStore, type Result } from '@attractor/store';
import { openPlatformOn } from '../platform.ts';
import { claimNext } from '../queue/claim.ts';
import { unconfined } from '@attractor/run';
import { putAsked, putCodingProject, putRuns, putWaiting } from './waiting-rows.ts';

/**
 * What a process needs beside runs that wait for a person: `node waiting-child.ts HOME COUNT`. Four other runs are at work. With a COUNT of
 * 0 nothing waits, and there is as much to show as a page shows: questions of runs that have ended. Prints milliseconds of CPU time for
 * each claim and page, and megabytes of a server that works and showed all of its pages: its heap after a collection, and what the
 * system gave it.
 */
const [home = '', countText = '0'] = process.argv.slice(2);
const TIMES = 30;
const SHOWN = 50;

const store = must(await openStore({ home }));
const project = await putCodingProject(store);
const waiting = Number(countText);
if (waiting === 0) await putAsked(store, project, SHOWN);
else await putWaiting(store, project, waiting);
await putRuns(store, project, 4);
await claimNext(store, { owner: 'at work' }, { room: 4, expectsWork: true });
const options = { home, agents: [], env: process.env, confine: unconfined };
const platform = must(await openPlatformOn(store, { ...options, concurrency: 0 }));
const { workflow } = platform;
const page = (await listTasks(store.read, { limit: SHOWN })).map(({ id }) => id);

const UNDER_WAY = { status: 'running', unlessWaiting: true } as const;

const LOOKS: Readonly<Record<string, () => Promise<unknown>>> = {
  claim: async () => {
    await putRuns(store, project, 1);
    const { claims } = await claimNext(store, { owner: 'next' }, { room: 1, expectsWork: true });
    for (const claim of claims) await store.transact((tx) => finishJob(tx, claim));
  },
  'no claim': () => claimNext(store, { owner: 'next' }, { room: 1, expectsWork: false }),
  board: () => workflow.taskStates(page),
  inbox: () => workflow.inbox({}),
  queue: () => workflow.queueState({ limit: SHOWN }),
  status: async () => {
    const running = await workflow.listRuns({ ...UNDER_WAY, limit: SHOWN });
    await Promise.all([workflow.inbox({}), workflow.queueState({ limit: 0 }), workflow.providerLimits()]);
    return workflow.taskStates(running.map(({ taskId }) => taskId));
  },
  health: () => workflow.health(),
};

const told: Record<string, number> = {};
for (const [name, look] of Object.entries(LOOKS)) {
  for (let index = 0; index < 3; index += 1) await look();
  const before = process.cpuUsage();
  for (let index = 0; index < TIMES; index += 1) await look();
  const { user, system } = process.cpuUsage(before);
  told[name] = (user + system) / 1000 / TIMES;
}
// Only here: the claims above are this program's own.
const working = must(await openPlatformOn(store, { ...options, concurrency: 4 }));
await working.worker.idle();
setFlagsFromString('--expose-gc');
runInNewContext('gc')();
const { heapUsed, rss } = process.memoryUsage();
process.stdout.write(`${JSON.stringify({ ...told, heapMb: heapUsed / 1e6, rssMb: rss / 1e6 })}\n`);
await working.close();
await platform.close();

function must<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}
