import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { putProject, putRun, putTask } from '../test-support/rows.ts';
import { sharedDatabase } from '../test-support/shared-database.ts';
import { must } from '../test-support/world.ts';
import { insistOnClaim } from '../records/claims.ts';
import { appendEvents, listEvents } from '../records/events.ts';
import { insertNote } from '../records/notes.ts';
import type { Task } from '../types/index.ts';
import { refuse } from '../types/refusal.ts';
import { openStore } from './open-store.ts';
import type { Store, Tx, Work } from './store.ts';
import { aboutTask } from './subjects.ts';
import { transactionTime } from './transaction-time.ts';
import { isSilent } from './unasked.ts';

let databaseUrl = '';
beforeAll(async () => {
  databaseUrl = await sharedDatabase();
});

async function open(): Promise<Store> {
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(() => store.close());
  return store;
}

async function world(count: number) {
  const store = await open();
  const project = await putProject(store);
  const tasks: Task[] = [];
  for (let index = 0; index < count; index += 1) tasks.push(await putTask(store, project));
  return { store, tasks };
}

const tell =
  ({ projectId, id: taskId }: Task, summary: string) =>
  (tx: Tx): Promise<void> =>
    appendEvents(tx, [{ projectId, taskId, type: 'note.added', summary, actor: { type: 'system' } }]);

const silently = <Value>(store: Store, task: Task, work: Work<Value>): Promise<Value> =>
  store.transact(work, aboutTask(task.id), undefined, 'silent');

const told = async (store: Store, { id: taskId }: Task) =>
  (await listEvents(store.read, { taskId })).filter(({ type }) => type === 'note.added').map(({ summary }) => summary);

/** In how many transactions the notes of these tasks were written. */
async function transactions(store: Store, tasks: ReadonlyArray<Task>): Promise<number> {
  const ids = sql.join(tasks.map(({ id }) => id));
  const { rows } =
    await sql`select distinct xmin::text from events where type = 'note.added' and task_id in (${ids})`.execute(
      store.read,
    );
  return rows.length;
}

describe('PostgreSQL: transactions that ask nothing', () => {
  it('share one where they come in one moment; each is told in its order, at the time of the database', async () => {
    const { store, tasks } = await world(8);
    const before = Date.now();
    await Promise.all(tasks.flatMap((task) => ['a', 'b'].map((text) => silently(store, task, tell(task, text)))));
    for (const task of tasks) expect(await told(store, task)).toEqual(['a', 'b']);
    expect(await transactions(store, tasks)).toBeLessThan(tasks.length);
    for (const { at } of await listEvents(store.read, { taskId: tasks[0]?.id ?? '' })) {
      expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Math.abs(Date.parse(at) - before)).toBeLessThan(60_000);
    }
  });

  it('fail by themselves: what another one fails for, or takes back, takes nothing along', async () => {
    const { store, tasks } = await world(4);
    const [a, b, c, d] = tasks;
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('no tasks');
    const noSuchTask = async (tx: Tx): Promise<void> => {
      await tell(b, 'not kept')(tx);
      await tell({ ...b, id: 'tsk_none' }, 'of nobody')(tx);
      await insistOnClaim(tx, { jobId: 'job_none', runId: 'run_none', fence: 1, attempts: 1 });
    };
    const thrown = async (tx: Tx): Promise<void> => {
      await tell(d, 'not kept')(tx);
      throw new Error('thrown');
    };
    const ends = await Promise.allSettled([
      silently(store, a, tell(a, 'kept')),
      silently(store, b, noSuchTask),
      silently(store, c, async (tx) => {
        await tell(c, 'not kept')(tx);
        return refuse('blocked', 'no');
      }),
      silently(store, d, thrown),
    ]);
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
    expect(ends[3]).toMatchObject({ reason: { message: 'thrown' } });
    expect(await Promise.all(tasks.map((task) => told(store, task)))).toEqual([['kept'], [], [], []]);
  });

  it('do not wait long for one whose task somebody else is about', async () => {
    const { store, tasks } = await world(2);
    const [held, free] = tasks;
    if (held === undefined || free === undefined) throw new Error('no tasks');
    const other = await open();
    const has = Promise.withResolvers<void>();
    const over = new AbortController();
    const slow = other.transact(async (tx) => {
      await tell(held, 'slow')(tx);
      await sql`select 1`.execute(tx);
      has.resolve();
      // A slow machine must not lose it as an idle one.
      while (!over.signal.aborted) await sql`select pg_sleep(0.05)`.execute(tx);
    }, aboutTask(held.id));
    await has.promise;
    const later = silently(store, held, tell(held, 'later'));
    await silently(store, free, tell(free, 'at once'));
    expect(await told(store, free)).toEqual(['at once']);
    over.abort();
    await Promise.all([slow, later]);
    expect(await told(store, held)).toEqual(['slow', 'later']);
  });

  it('ask after all: the same work is done again as any other, and its answer counts', async () => {
    const { store, tasks } = await world(1);
    const [task] = tasks;
    if (task === undefined) throw new Error('no task');
    const heard: boolean[] = [];
    const at = await silently(store, task, async (tx) => {
      heard.push(isSilent(tx));
      await tell(task, 'told')(tx);
      return transactionTime(tx);
    });
    const read = await silently(store, task, async (tx) => {
      // Whoever catches everything does not keep it silent.
      const rows = await listEvents(tx, { taskId: task.id }).catch(() => []);
      await insertNote(tx, { taskId: task.id, text: 'n', author: { type: 'system' } });
      return rows.length;
    });
    expect(heard).toEqual([true, false]);
    expect([await told(store, task), read]).toEqual([['told'], 1]);
    expect(Number.isNaN(Date.parse(at))).toBe(false);
  });

  it('of a run whose claim is lost are refused, and nothing of it is written', async () => {
    const { store, tasks } = await world(2);
    const [task, other] = tasks;
    if (task === undefined || other === undefined) throw new Error('no tasks');
    const { id: runId } = await store.transact((tx) => putRun(tx, task));
    const claimed = { state: 'running', owner: 'w', fence: 3 } as const;
    await store.transact((tx) => tx.updateTable('jobs').set(claimed).where('run_id', '=', runId).execute());
    const { id: jobId } = await store.read
      .selectFrom('jobs')
      .select('id')
      .where('run_id', '=', runId)
      .executeTakeFirstOrThrow();
    const as = (fence: number, text: string) => async (tx: Tx) => {
      await insistOnClaim(tx, { jobId, runId, fence, attempts: 1 });
      await tell(task, text)(tx);
    };
    await silently(store, task, as(3, 'held'));
    const lost = silently(store, task, as(2, 'of an old claim'));
    const beside = silently(store, other, tell(other, 'beside it'));
    await expect(lost).rejects.toThrow('division by zero');
    await beside;
    expect([await told(store, task), await told(store, other)]).toEqual([['held'], ['beside it']]);
  });
});
