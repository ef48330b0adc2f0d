/**
 * Events appended by 16 writers, each about a task of its own: `node append.ts WAY COUNT DATABASE`. WAY is `alone` (one transaction of the
 * whole database at a time, as all were before), `beside` (each has one of its own) or `together` (as the messages of runs are written:
 * those that ask nothing share one). Prints the time and the CPU time of this process.
 */
import { aboutTask, appendEvents, openStore, type Store } from '@attractor/store';
import { putProject, putTask } from '@attractor/store/testing';

const [way = 'beside', count = '640', databaseUrl = ''] = process.argv.slice(2);
const WRITERS = 16;
const manner = way === 'together' ? 'silent' : 'asking';

const stores: Store[] = [];
for (let index = 0; index < 4; index += 1) {
  const opened = await openStore({ databaseUrl, writers: WRITERS / 4 });
  if (!opened.ok) throw new Error(opened.error.message);
  stores.push(opened.value);
}
const [first] = stores;
if (first === undefined) throw new Error('no store');
const project = await putProject(first);
const tasks: Array<Awaited<ReturnType<typeof putTask>>> = [];
for (let index = 0; index < WRITERS; index += 1) tasks.push(await putTask(first, project));

async function write(task: (typeof tasks)[number], store: Store, times: number): Promise<void> {
  const { id: taskId, projectId } = task;
  const event = { projectId, taskId, type: 'note.added', summary: 's', actor: { type: 'system' } } as const;
  for (let index = 0; index < times; index += 1)
    await store.transact(
      (tx) => appendEvents(tx, [event]),
      way === 'alone' ? undefined : aboutTask(taskId),
      undefined,
      manner,
    );
}

const everybody = (times: number) =>
  Promise.all(tasks.map((task, index) => write(task, stores[index % stores.length] ?? first, times)));
await everybody(2);
const [began, cpu] = [performance.now(), process.cpuUsage()];
await everybody(Number(count) / WRITERS);
const used = process.cpuUsage(cpu);
console.log(JSON.stringify({ wallMs: performance.now() - began, cpuMs: (used.user + used.system) / 1000 }));
await Promise.all(stores.map((store) => store.close()));
