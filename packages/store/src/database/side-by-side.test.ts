import { setImmediate as breathe } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { putProject, putTask } from '../test-support/rows.ts';
import { sharedDatabase } from '../test-support/shared-database.ts';
import { makeFolder, must, runs } from '../test-support/world.ts';
import { appendEvents, listEvents } from '../records/events.ts';
import { insertNote, listNotes } from '../records/notes.ts';
import type { PlatformEvent, Project, Task } from '../types/index.ts';
import { refuse } from '../types/refusal.ts';
import { lastSeq } from './last-seq.ts';
import { nested } from './nested.ts';
import { openStore } from './open-store.ts';
import type { Store, Tx } from './store.ts';
import { alsoAbout } from './held-subjects.ts';
import { ABOUT_QUEUE, aboutTask, type Subjects } from './subjects.ts';

let databaseUrl = '';
beforeAll(async () => {
  databaseUrl = await sharedDatabase();
});

async function open(): Promise<Store> {
  const store = must(await openStore({ databaseUrl }));
  onTestFinished(() => store.close());
  return store;
}

type World = { readonly project: Project; readonly tasks: ReadonlyArray<Task> };

async function makeWorld(store: Store, count: number): Promise<World> {
  const project = await putProject(store);
  const tasks: Task[] = [];
  for (let index = 0; index < count; index += 1) tasks.push(await putTask(store, project));
  return { project, tasks };
}

function tell(tx: Tx, task: Task, summary: string): Promise<void> {
  const { projectId, id: taskId } = task;
  return appendEvents(tx, [{ projectId, taskId, type: 'note.added', summary, actor: { type: 'system' } }]);
}

/** A transaction that has told and stays open until it is let go. */
async function underWay(store: Store, task: Task, about: Subjects | undefined = aboutTask(task.id)) {
  const hasTold = Promise.withResolvers<void>();
  const over = new AbortController();
  const ended = store.transact(async (tx) => {
    await tell(tx, task, 'slow');
    hasTold.resolve();
    // A slow machine must not lose it as an idle one.
    while (!over.signal.aborted) await sql`select pg_sleep(0.05)`.execute(tx);
    return over.signal.reason === 'kept' ? null : refuse('blocked', 'no');
  }, about);
  await hasTold.promise;
  return {
    end: async (how: 'kept' | 'taken back'): Promise<void> => {
      over.abort(how);
      await ended;
    },
  };
}

const words = (events: ReadonlyArray<PlatformEvent>) => events.map(({ summary }) => summary);

describe('PostgreSQL: transactions side by side', () => {
  it('those about different tasks overlap, those about one task and those that are alone wait', async () => {
    const [one, other] = [await open(), await open()];
    const { tasks } = await makeWorld(one, 2);
    const [a, b] = tasks;
    if (a === undefined || b === undefined) throw new Error('no tasks');
    const slow = await underWay(one, a);
    const order: string[] = [];
    const same = other.transact(async () => order.push('same'), aboutTask(a.id));
    const later = one.transact(async (tx) => {
      order.push('began with b');
      await alsoAbout(tx, aboutTask(a.id));
      order.push('has a too');
    }, aboutTask(b.id));
    while (order.length === 0) await breathe();
    const alone = other.transact(async () => order.push('alone'));
    expect(order).toEqual(['began with b']);
    await slow.end('kept');
    await Promise.all([same, later, alone]);
    expect(order.toSorted()).toEqual(['alone', 'began with b', 'has a too', 'same']);
  });

  it('a reader of all never passes what is still being written; a reader of one task does not wait', async () => {
    const [one, other] = [await open(), await open()];
    const { project, tasks } = await makeWorld(one, 3);
    const [a, b, c] = tasks;
    if (a === undefined || b === undefined || c === undefined) throw new Error('no tasks');
    const after = await lastSeq(one.read);
    const all = { projectId: project.id, after };
    const slow = await underWay(one, a);
    const doomed = await underWay(other, c);
    await other.transact((tx) => tell(tx, b, 'quick'), aboutTask(b.id));
    expect(words(await listEvents(other.read, all))).toEqual([]);
    expect(await lastSeq(other.read)).toBe(after);
    expect(words(await listEvents(other.read, { taskId: b.id }))).toEqual(['quick']);
    await slow.end('kept');
    expect(words(await listEvents(other.read, all))).toEqual(['slow']);
    await doomed.end('taken back');
    expect(words(await listEvents(other.read, all))).toEqual(['slow', 'quick']);
  });

  it('what is taken back in part gives its subjects back too', async () => {
    const store = await open();
    const { tasks } = await makeWorld(store, 2);
    const [a, b] = tasks;
    if (a === undefined || b === undefined) throw new Error('no tasks');
    await store.transact(async (tx) => {
      await nested(tx, async (inner) => {
        await tell(inner, b, 'not kept');
        return refuse('blocked', 'no');
      });
      const other = await open();
      await other.transact((own) => tell(own, b, 'of another'), aboutTask(b.id));
      await tell(tx, b, 'kept');
    }, aboutTask(a.id));
    expect(words(await listEvents(store.read, { taskId: b.id }))).toEqual(['of another', 'kept']);
  });
});

/** `also`: a second task that is found to be concerned in the middle of the work. */
type Command = {
  readonly id: number;
  readonly task: number;
  readonly also: number | null;
  readonly place: boolean;
  /** It only tells, and asks nothing. */
  readonly silent: boolean;
  readonly about: 'task' | 'alone';
  readonly end: 'commit' | 'throw' | 'refuse';
};

const TASKS = 4;
const PLACES = 3;

function randomCommand(id: number, random: () => number): Command {
  const pick = (count: number): number => Math.floor(random() * count);
  const silent = random() < 0.4;
  return {
    id,
    task: pick(TASKS),
    also: !silent && random() < 0.3 ? pick(TASKS) : null,
    place: !silent && random() < 0.4,
    silent,
    about: random() < 0.15 ? 'alone' : 'task',
    end: random() < 0.1 ? 'throw' : random() < 0.1 ? 'refuse' : 'commit',
  };
}

/** Counts what was told of a task before, and takes one of a few places: each is wrong if another transaction comes between. */
async function carryOut(tx: Tx, { tasks }: World, command: Command) {
  for (const index of new Set([command.task, command.also ?? command.task])) {
    const task = tasks[index];
    if (task === undefined) throw new Error('no task');
    await alsoAbout(tx, aboutTask(task.id));
    const before = command.silent ? null : await listEvents(tx, { taskId: task.id });
    await tell(tx, task, `${command.id}: ${before === null ? 'silent' : before.length + 1}`);
  }
  const shop = tasks[TASKS];
  if (command.place && shop !== undefined) {
    await alsoAbout(tx, ABOUT_QUEUE);
    const taken = await listNotes(tx, shop.id);
    if (taken.length >= PLACES) return refuse('blocked', 'no place');
    await insertNote(tx, { taskId: shop.id, text: String(command.id), author: { type: 'system' } });
  }
  if (command.end === 'throw') throw new Error('thrown');
  return command.end === 'refuse' ? refuse('blocked', 'refused') : 'committed';
}

async function ask(store: Store, world: World, command: Command): Promise<boolean> {
  const own = world.tasks[command.task];
  const about = own === undefined || command.about === 'alone' ? undefined : aboutTask(own.id);
  try {
    const manner = command.silent ? 'silent' : 'asking';
    return (await store.transact((tx) => carryOut(tx, world, command), about, undefined, manner)) === 'committed';
  } catch (error) {
    if (error instanceof Error && error.message === 'thrown') return false;
    throw error;
  }
}

/** The log as a viewer gets it: in pages, after the last number, while others write. */
async function follow(store: Store, from: { readonly projectId: string; readonly after: number }, over: AbortSignal) {
  const got: PlatformEvent[] = [];
  for (let isLast = false; ;) {
    const events = await listEvents(store.read, { ...from, after: got.at(-1)?.seq ?? from.after, limit: 3 });
    got.push(...events);
    if (events.length > 0) continue;
    if (isLast) return got;
    isLast = over.aborted;
    await breathe();
  }
}

describe('PostgreSQL: a log without one writer', () => {
  it('leaves what one writer would have left, and every reader gets every event once, in order', async () => {
    for (let seed = 1; seed <= runs(1); seed += 1) {
      const random = seeded(seed);
      const stores = [await open(), await open(), await open()];
      const [first] = stores;
      if (first === undefined) throw new Error('no store');
      const world = await makeWorld(first, TASKS + 1);
      const from = { projectId: world.project.id, after: await lastSeq(first.read) };
      const commands = Array.from({ length: 60 }, (_, id) => randomCommand(id, random));
      const over = new AbortController();
      const readers = stores.map((store) => follow(store, from, over.signal));
      const done = new Set<number>();
      const left = [...commands];
      const work = async (store: Store): Promise<void> => {
        for (let command = left.shift(); command !== undefined; command = left.shift())
          if (await ask(store, world, command)) done.add(command.id);
      };
      await Promise.all(stores.flatMap((store) => [work(store), work(store), work(store)]));
      over.abort();
      const logs = await Promise.all(readers);
      const stored = await listEvents(first.read, from);
      for (const log of logs) expect(log, `seed ${seed}`).toEqual(stored);
      await asOneWriter({ seed, commands, done, stored, world, store: first });
    }
  });
});

type Left = {
  readonly seed: number;
  readonly commands: ReadonlyArray<Command>;
  readonly done: ReadonlySet<number>;
  readonly stored: ReadonlyArray<PlatformEvent>;
  readonly world: World;
  readonly store: Store;
};

/** The oracle: what was acknowledged, one after another in the order in which it was told, in a database with one writer. */
async function asOneWriter({ seed, commands, done, stored, world, store }: Left): Promise<void> {
  const oracle = must(await openStore({ home: makeFolder() }));
  onTestFinished(() => oracle.close());
  const own = await makeWorld(oracle, TASKS + 1);
  // A transaction has all its tasks when it tells of the last one.
  const order = [...new Set(stored.map(({ summary }) => Number.parseInt(summary, 10)).toReversed())].toReversed();
  expect(new Set(order), `seed ${seed}`).toEqual(done);
  for (const id of order) {
    const command = commands[id];
    if (command !== undefined) expect(await ask(oracle, own, command), `seed ${seed}`).toBe(true);
  }
  for (const [index, task] of own.tasks.entries()) {
    const same = world.tasks[index];
    if (same === undefined) throw new Error('no task');
    expect(words(await listEvents(store.read, { taskId: same.id })), `seed ${seed}`).toEqual(
      words(await listEvents(oracle.read, { taskId: task.id })),
    );
    expect((await listNotes(store.read, same.id)).length, `seed ${seed}`).toBe(
      (await listNotes(oracle.read, task.id)).length,
    );
  }
}

function seeded(seed: number): () => number {
  let state = seed * 2_654_435_761;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
