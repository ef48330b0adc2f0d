/**
 * What people look at, beside histories: `node pages.ts FEW MANY HOME HOME [DATABASE DATABASE]` fills two databases with that many events (a
 * hundred a run, a run a task, all ended) beside 60 open tasks and prints how long each page takes in both, and their size on disk.
 * They take turns, and the quickest of many rounds counts: what others do on the machine only makes one slower.
 */
import { defined } from '@attractor/base';
import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, unconfined } from '@attractor/platform';
import { openStore } from '@attractor/store';
import { fillHistory } from '@attractor/store/testing';

const [few = '100', many = '100', fewHome = '', manyHome = '', fewDatabase, manyDatabase] = process.argv.slice(2);
const ROUNDS = 40;

const places = [
  await fill(Number(few), fewHome, fewDatabase),
  await fill(Number(many), manyHome, manyDatabase),
] as const;
const times: Record<string, readonly [number, number]> = {};
for (const page of Object.keys(places[0].pages)) times[page] = await takeTurns(page);
for (const { platform } of places) await platform.close();
console.log(JSON.stringify({ times, bytes: places.map(({ bytes }) => bytes) }));

async function fill(events: number, home: string, databaseUrl?: string) {
  const opened = await openStore(databaseUrl === undefined ? { home } : { databaseUrl });
  if (!opened.ok) throw new Error(opened.error.message);
  const { projectId, taskId, bytes } = await fillHistory(opened.value, events);
  await opened.value.close();
  const platform = await openPlatform({
    home,
    ...defined({ databaseUrl }),
    agents: [createScriptedAgent([])],
    env: process.env,
    confine: unconfined,
    concurrency: 0,
    onUnexpected: (error) => console.error(error),
  });
  if (!platform.ok) throw new Error(platform.error.message);
  const { workflow } = platform.value;
  const last = await workflow.lastSeq();
  const pages: Readonly<Record<string, () => Promise<unknown>>> = {
    board: () => workflow.pageTasks({ projectId, limit: 50 }),
    task: () => Promise.all([workflow.events({ taskId }), workflow.taskStates([taskId]), workflow.history(taskId)]),
    inbox: () => workflow.inbox(),
    costs: () => workflow.costs({ projectId }, 'day'),
    'search, none': () => workflow.pageTasks({ projectId, search: 'nowhere', limit: 50 }),
    'search, many': () => workflow.pageTasks({ projectId, search: 'task', limit: 50 }),
    'catching up': () => workflow.events({ after: Math.max(0, last - 50), limit: 200 }),
    activity: () => workflow.activity({ projectId, limit: 50 }),
  };
  return { pages, platform: platform.value, bytes };
}

async function takeTurns(page: string): Promise<readonly [number, number]> {
  const rounds: [number[], number[]] = [[], []];
  for (let round = 0; round < 2 * ROUNDS; round += 1)
    for (const [index, { pages }] of places.entries()) {
      const began = performance.now();
      await pages[page]?.();
      if (round >= ROUNDS) rounds[index === 0 ? 0 : 1].push(performance.now() - began);
    }
  return [Math.min(...rounds[0]), Math.min(...rounds[1])];
}
