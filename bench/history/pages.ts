/**
 * What people look at, beside a history: `node pages.ts EVENTS HOME [DATABASE]` fills a database with that many events (a hundred a run,
 * a run a task, all ended) beside 60 open tasks and prints the median time of each page and the size on disk.
 */
import { defined } from '@attractor/base';
import { createScriptedAgent } from '@attractor/adapters';
import { openPlatform, unconfined } from '@attractor/platform';
import { openStore } from '@attractor/store';
import { fillHistory } from '@attractor/store/testing';
import { median } from '../measuring/rounds.ts';

const [events = '100', home = '', databaseUrl] = process.argv.slice(2);
const ROUNDS = 15;

const opened = await openStore(databaseUrl === undefined ? { home } : { databaseUrl });
if (!opened.ok) throw new Error(opened.error.message);
const place = await fillHistory(opened.value, Number(events));
await opened.value.close();
console.log(JSON.stringify({ events: Number(events), ...(await measure(place)) }));

async function measure({ projectId, taskId, bytes }: Awaited<ReturnType<typeof fillHistory>>) {
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
  const PAGES: Readonly<Record<string, () => Promise<unknown>>> = {
    board: () => workflow.pageTasks({ projectId, limit: 50 }),
    task: () => Promise.all([workflow.events({ taskId }), workflow.taskStates([taskId]), workflow.history(taskId)]),
    inbox: () => workflow.inbox(),
    costs: () => workflow.costs({ projectId }, 'day'),
    search: () => workflow.pageTasks({ projectId, search: 'nowhere', limit: 50 }),
    'catching up': () => workflow.events({ after: Math.max(0, last - 50), limit: 200 }),
    activity: () => workflow.activity({ projectId, limit: 50 }),
  };
  const times: Record<string, number> = {};
  for (const [name, read] of Object.entries(PAGES)) {
    for (let round = 0; round < ROUNDS; round += 1) await read();
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const began = performance.now();
      await read();
      rounds.push(performance.now() - began);
    }
    times[name] = median(rounds);
  }
  await platform.value.close();
  return { times, bytes };
}
