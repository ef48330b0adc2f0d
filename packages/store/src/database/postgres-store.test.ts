import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { done } from '@attractor/base';
import { startProxy } from '../test-support/half-open-proxy.ts';
import { type PostgresServer, startPostgres } from '../test-support/postgres-server.ts';
import { noteEvent, putProject, putTask } from '../test-support/rows.ts';
import { describeStore } from '../test-support/store-contract.ts';
import { must } from '../test-support/world.ts';
import type { Task } from '../types/index.ts';
import { holdsClaim, lookAtClaim } from '../records/claims.ts';
import { appendEvents, listEvents } from '../records/events.ts';
import { insertNote, listNotes } from '../records/notes.ts';
import { lookAtServer, openStore, refuseOnDatabaseError } from './open-store.ts';
import type { Store, Tx } from './store.ts';
import { aboutTask } from './subjects.ts';

const server: PostgresServer = await startPostgres();
afterAll(() => server.stop());

const migrated = await server.database();
await must(await openStore({ databaseUrl: migrated })).close();

const makePlace = async () => {
  const databaseUrl = await server.database(migrated);
  return { open: () => openStore({ databaseUrl }) };
};

describeStore('PostgreSQL', makePlace);

async function open(databaseUrl: string, patienceMs = 15_000): Promise<Store> {
  const store = must(await openStore({ databaseUrl, patienceMs }));
  onTestFinished(() => store.close());
  return store;
}

describe('PostgreSQL: a look at a server', () => {
  const tables = async (url: string): Promise<number> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rowCount } = await client.query(`select 1 from pg_tables where schemaname = 'public'`);
    await client.end();
    return rowCount ?? 0;
  };

  it('says what is there or what is wrong with it, and changes nothing', async () => {
    const [empty, used] = [await server.database(), await server.database(migrated)];
    expect(must(await lookAtServer(empty))).toMatch(/^postgres:.*, PostgreSQL \d.*changes its tables\)$/);
    expect(await tables(empty)).toBe(0);
    expect(must(await lookAtServer(used))).toMatch(/, PostgreSQL [\d.]+$/);
    const says = async (url: string) => {
      const looked = await lookAtServer(url);
      return looked.ok ? '' : looked.error.message;
    };
    const client = new pg.Client({ connectionString: used });
    await client.connect();
    await client.query(`insert into migrations values ('999-of-tomorrow', 'now')`);
    expect(await says(used)).toMatch(/newer version of Attractor \(999-of-tomorrow\).*ATTRACTOR_DATABASE_URL/);
    await client.query(`alter database ${new URL(used).pathname.slice(1)} set default_transaction_read_only = on`);
    await client.end();
    expect(await says(used)).toContain('takes no changes');
    expect(await says(used.replace(':of-a-test@', ':wrong@'))).toMatch(
      /can't be used.*Check the user and the password/,
    );
    expect(await says('db.example')).toContain('expected postgres://USER@HOST:PORT/NAME');
  });
});

describe('PostgreSQL: a transaction that only looks', () => {
  it('leaves no mark, though it keeps others from what it looked at', async () => {
    const store = must(await (await makePlace()).open());
    onTestFinished(() => store.close());
    const marks = async (): Promise<number> => (await sql`select id from writers`.execute(store.read)).rows.length;
    const claim = { jobId: 'job_none', runId: 'run_none', fence: 1, attempts: 1 };
    await store.transact(async (tx) => [await holdsClaim(tx, claim), await lookAtClaim(tx, claim)], aboutTask('tsk_1'));
    expect(await marks()).toBe(0);
    await store.transact((tx) => appendEvents(tx, [noteEvent('prj_1', 'x')]), aboutTask('tsk_1'));
    expect(await marks()).toBe(1);
  });
});

describe('PostgreSQL: a server that goes away', () => {
  it('loses nothing that was acknowledged and nothing is done twice, over immediate restarts', async () => {
    const url = await server.database();
    const stores = [await open(url), await open(url)];
    const [store] = stores;
    if (store === undefined) throw new Error('no store');
    const project = await putProject(store);
    const [task, ...told] = [
      await putTask(store, project),
      await putTask(store, project),
      await putTask(store, project),
    ];
    const acknowledged: string[] = [];
    const moreThan = async (count: number): Promise<void> => {
      while (acknowledged.length <= count) await sleep(5);
    };
    const over = new AbortController();
    const writers = stores.map(async (own, writer) => {
      for (let index = 0; !over.signal.aborted; index += 1) {
        const text = `${writer}:${index}`;
        await own.transact((tx) => insertNote(tx, { taskId: task.id, text, author: { type: 'system' } }));
        acknowledged.push(text);
      }
    });
    // These ask nothing and share their transactions.
    const silent = told.map(async ({ id: taskId }, writer) => {
      for (let index = 0; !over.signal.aborted; index += 1) {
        const summary = `told ${writer}:${index}`;
        const event = { ...noteEvent(project.id, summary), taskId };
        await store.transact((tx) => appendEvents(tx, [event]), aboutTask(taskId), undefined, 'silent');
        acknowledged.push(summary);
      }
    });
    const reading = (async () => {
      while (!over.signal.aborted) await listNotes(store.read, task.id);
    })();
    for (let round = 0; round < 3; round += 1) {
      await moreThan(acknowledged.length + 5);
      await server.restart();
    }
    await moreThan(acknowledged.length + 5);
    over.abort();
    await Promise.all([...writers, ...silent, reading]);
    const stored = (await listNotes(store.read, task.id)).map(({ text }) => text);
    for (const { id: taskId } of told)
      stored.push(...(await listEvents(store.read, { taskId, limit: 100_000 })).map(({ summary }) => summary));
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
  });

  it('still hints at changes after a restart', async () => {
    const url = await server.database();
    const [one, other] = [await open(url), await open(url)];
    await server.restart();
    const task = await putTask(other, await putProject(other));
    const heard = Promise.withResolvers<unknown>();
    one.onChange(heard.resolve);
    await other.transact((tx) => insertNote(tx, { taskId: task.id, text: 'n', author: { type: 'system' } }));
    expect(await heard.promise).toBe('others');
  });

  it('is a refusal of the command when it stays away, and the store works again when it is back', async () => {
    const store = await open(await server.database(), 300);
    await server.halt();
    try {
      expect(await refuseOnDatabaseError(() => store.transact(async () => done(null)))).toMatchObject({
        ok: false,
        error: { code: 'database' },
      });
    } finally {
      await server.start();
    }
    expect(await store.transact(async () => 'back')).toBe('back');
  });

  it('is told apart: nobody there, a wrong password, no such database, no address', async () => {
    const url = new URL(await server.database());
    const refusals = {
      createdb: new URL('/none', url).href,
      password: Object.assign(new URL(url), { password: 'wrong-one' }).href,
      'runs there': Object.assign(new URL(url), { port: '1' }).href,
      'postgres://USER': 'mysql://x',
    };
    for (const [words, databaseUrl] of Object.entries(refusals)) {
      const opened = await openStore({ databaseUrl });
      expect(opened).toMatchObject({ ok: false, error: { code: 'database', message: expect.stringContaining(words) } });
      expect(JSON.stringify(opened)).not.toContain('wrong-one');
    }
  });

  it('frees the way when a client froze in the middle of a transaction', async () => {
    const url = await server.database();
    const store = await open(url);
    const frozen = new pg.Client({ connectionString: url, idle_in_transaction_session_timeout: 500 });
    frozen.on('error', () => undefined);
    await frozen.connect();
    await frozen.query('begin; select pg_advisory_xact_lock(4127001)');
    expect(await store.transact(async () => 'through')).toBe('through');
    await expect(frozen.query('commit')).rejects.toThrow(/terminat|connection/i);
    await frozen.end();
  });
});

async function sqlAt(url: string, ...statements: ReadonlyArray<string>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

const CUT_ALL = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`;

const note = (taskId: Task['id'], text: string) => (tx: Tx) =>
  insertNote(tx, { taskId, text, author: { type: 'system' } });

describe('PostgreSQL: trouble on the way', () => {
  it('connections that are open and dead are found out and made anew, and what was under way is done once', async () => {
    const url = await server.database();
    const proxy = await startProxy(url);
    onTestFinished(() => proxy.close());
    const store = must(await openStore({ databaseUrl: proxy.url, silenceMs: 200 }));
    onTestFinished(() => store.close());
    const task = await putTask(store, await putProject(store));
    for (const text of ['one', 'two', 'three']) {
      expect(proxy.silence()).toBeGreaterThan(0);
      const [stored] = await Promise.all([store.transact(note(task.id, text)), listNotes(store.read, task.id)]);
      expect(stored.text).toBe(text);
    }
    const told = Promise.withResolvers<unknown>();
    store.onChange(told.resolve);
    const other = await open(url);
    await other.transact(async (tx) => {
      await note(task.id, 'of another')(tx);
      await appendEvents(tx, [{ projectId: 'p', type: 'note.added', summary: 's', actor: { type: 'system' } }]);
    });
    await told.promise;
    const texts = (await listNotes(other.read, task.id)).map(({ text }) => text);
    expect(texts).toEqual(['one', 'two', 'three', 'of another']);
  });

  it('a connection that dies in a transaction is done with long before silence alone tells, and holds nobody up at the server', async () => {
    const url = await server.database();
    const proxy = await startProxy(url);
    onTestFinished(() => proxy.close());
    const store = must(await openStore({ databaseUrl: proxy.url, silenceMs: 2_000 }));
    onTestFinished(() => store.close());
    const task = await putTask(store, await putProject(store));
    const other = await open(url);
    let rounds = 0;
    const begun = Promise.withResolvers<void>();
    const started = performance.now();
    const cut = store.transact(async (tx) => {
      await note(task.id, 'first')(tx);
      rounds += 1;
      if (rounds === 1) proxy.silence();
      begun.resolve();
      return note(task.id, 'second')(tx);
    });
    await begun.promise;
    await Promise.all([cut, other.transact(note(task.id, 'of another')), listNotes(store.read, task.id)]);
    // Far less than the 30 s after which silence alone would count.
    expect(performance.now() - started).toBeLessThan(28_000);
    expect(rounds).toBe(2);
    const texts = (await listNotes(other.read, task.id)).map(({ text }) => text);
    expect(texts.toSorted()).toEqual(['first', 'of another', 'second']);
  });

  it('what the server still works on is waited for: a long statement, and a turn that is long in coming', async () => {
    const url = await server.database();
    const [long, waiting] = [
      must(await openStore({ databaseUrl: url, silenceMs: 40 })),
      must(await openStore({ databaseUrl: url, silenceMs: 40 })),
    ];
    onTestFinished(() => Promise.all([long.close(), waiting.close()]).then(() => undefined));
    const calls: string[] = [];
    const begun = Promise.withResolvers<void>();
    await Promise.all([
      long.transact(async (tx) => {
        calls.push('long');
        begun.resolve();
        await sql`select pg_sleep(0.9)`.execute(tx);
      }),
      sql`select pg_sleep(0.8)`.execute(waiting.read),
      begun.promise.then(() => waiting.transact(async () => calls.push('waiting'))),
    ]);
    expect(calls).toEqual(['long', 'waiting']);
  });

  it('a server that hangs up at once is asked again with growing pauses, not in a loop', async () => {
    const proxy = await startProxy(await server.database());
    onTestFinished(() => proxy.close());
    const store = await open(proxy.url);
    proxy.hangUp();
    const [asked, read] = [store.transact(async () => 'written'), store.now()];
    await sleep(600);
    await expect.poll(proxy.refused).toBeGreaterThan(2);
    const times = proxy.takeAgain();
    expect(await asked).toBe('written');
    expect(await read).toBeGreaterThan(0);
    expect(times).toBeLessThan(40);
  });

  it('a server without a free connection is waited for, and named where it stays so', async () => {
    const url = await server.database();
    const [patient, hasty] = [await open(url), await open(url, 100)];
    const crowd: pg.Client[] = [];
    onTestFinished(() => Promise.all(crowd.map((client) => client.end().catch(() => undefined))).then(() => undefined));
    await sqlAt(url, CUT_ALL);
    for (let isFull = false; !isFull;) {
      const client = new pg.Client({ connectionString: new URL('/postgres', url).href });
      client.on('error', () => undefined);
      isFull = await client.connect().then(
        () => false,
        () => true,
      );
      if (!isFull) crowd.push(client);
    }
    expect(await refuseOnDatabaseError(() => hasty.transact(async () => done(null)))).toMatchObject({
      ok: false,
      error: { code: 'database', message: expect.stringContaining('max_connections') },
    });
    const waiting = patient.transact(async () => 'through');
    await Promise.all(crowd.map((client) => client.end()));
    expect(await waiting).toBe('through');
  });

  it('a change that nobody hinted at is found by looking', async () => {
    const url = await server.database();
    const store = await open(url);
    const told = Promise.withResolvers<unknown>();
    // The listener's own first word is over, and the log has been looked at once, before the silent change.
    store.onChange(() => undefined);
    await sleep(2_500);
    store.onChange(told.resolve);
    await sqlAt(
      url,
      `insert into events (id, at, project_id, category, type, level, summary, data, actor)
        values ('evt_silent', 'now', 'p', 'note', 'note.added', 'info', 'silent', '{}', '{}')`,
    );
    expect(await told.promise).toBe('others');
  });

  it('a database that may only be read refuses changes with what to do, answers questions, and takes changes again', async () => {
    const url = await server.database();
    const store = await open(url);
    const task = await putTask(store, await putProject(store));
    await store.transact(note(task.id, 'before'));
    const name = new URL(url).pathname.slice(1);
    await sqlAt(url, `alter database ${name} set default_transaction_read_only = on`, CUT_ALL);
    for (let attempt = 0; attempt < 3; attempt += 1)
      expect(
        await refuseOnDatabaseError(async () => done(await store.transact(note(task.id, 'refused')))),
      ).toMatchObject({ ok: false, error: { code: 'database', message: expect.stringContaining('allow writing') } });
    expect((await listNotes(store.read, task.id)).map(({ text }) => text)).toEqual(['before']);
    await sqlAt(new URL('/postgres', url).href, `alter database ${name} reset default_transaction_read_only`);
    await sqlAt(url, CUT_ALL);
    await store.transact(note(task.id, 'after'));
    expect((await listNotes(store.read, task.id)).map(({ text }) => text)).toEqual(['before', 'after']);
  });

  it('a full disk of the server is named with what to do', async () => {
    const full = Object.assign(new Error('could not extend file: No space left on device'), {
      severity: 'ERROR',
      code: '53100',
    });
    const refused = await refuseOnDatabaseError(async () => {
      throw full;
    });
    expect(refused).toMatchObject({
      error: { code: 'database', message: expect.stringMatching(/nothing was changed.*make room/) },
    });
  });
});

describe('PostgreSQL: statements that a connection has planned', () => {
  /** Often enough for the text to have its name, on the only connection. */
  const often = async (work: () => Promise<unknown>): Promise<void> => {
    for (let round = 0; round < 3; round += 1) await work();
  };

  it('are planned anew when a table was changed, or when the connection lost them', async () => {
    const databaseUrl = await server.database(migrated);
    const store = must(await openStore({ databaseUrl, readers: 1, writers: 1 }));
    onTestFinished(() => store.close());
    const task = await putTask(store, await putProject(store));
    const text = 'said once';
    await store.transact((tx) => insertNote(tx, { taskId: task.id, text, author: { type: 'system' } }));
    const read = () => listNotes(store.read, task.id);
    const inTransaction = () => store.transact((tx) => listNotes(tx, task.id));
    const planned = sql<{ name: string }>`select name from pg_prepared_statements where name like 'attractor-%'`;
    await often(read);
    await often(inTransaction);
    expect((await planned.execute(store.read)).rows).not.toEqual([]);
    const change = new pg.Client({ connectionString: databaseUrl });
    await change.connect();
    await change.query('alter table task_notes add column of_the_next_version text');
    await change.end();
    for (const look of [read, inTransaction, read, inTransaction])
      expect(await look()).toEqual([expect.objectContaining({ text })]);
    await often(() => store.read.selectFrom('tasks').select('title').where('id', '=', task.id).execute());
    await sql`deallocate all`.execute(store.read);
    await often(async () =>
      expect(await store.read.selectFrom('tasks').select('title').where('id', '=', task.id).execute()).toHaveLength(1),
    );
    expect((await planned.execute(store.read)).rows).toEqual([]);
  });
});
