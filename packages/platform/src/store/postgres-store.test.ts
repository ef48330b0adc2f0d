import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { type PostgresServer, startPostgres } from '../test-support/postgres-server.ts';
import { describeOutbox } from '../test-support/outbox-contract.ts';
import { putProject, putTask } from '../test-support/rows.ts';
import { describeStore } from '../test-support/store-contract.ts';
import { must } from '../test-support/world.ts';
import { insertNote, listNotes } from './notes.ts';
import { openStore, refuseOnDatabaseError, type Store } from './store.ts';
import { done } from '../refusal.ts';

const server: PostgresServer = await startPostgres();
afterAll(() => server.stop());

const makePlace = async () => {
  const databaseUrl = await server.database();
  return { open: () => openStore({ databaseUrl }) };
};

describeStore('PostgreSQL', makePlace);
describeOutbox('PostgreSQL', makePlace);

async function open(databaseUrl: string, patienceMs = 15_000): Promise<Store> {
  const store = must(await openStore({ databaseUrl, patienceMs }));
  onTestFinished(() => store.close());
  return store;
}

describe('PostgreSQL: a server that goes away', () => {
  it('loses nothing that was acknowledged and nothing is done twice, over immediate restarts', async () => {
    const url = await server.database();
    const stores = [await open(url), await open(url)];
    const [store] = stores;
    if (store === undefined) throw new Error('no store');
    const task = await putTask(store, await putProject(store));
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
    const reading = (async () => {
      while (!over.signal.aborted) await listNotes(store.read, task.id);
    })();
    for (let round = 0; round < 3; round += 1) {
      await moreThan(acknowledged.length + 5);
      await server.restart();
    }
    await moreThan(acknowledged.length + 5);
    over.abort();
    await Promise.all([...writers, reading]);
    const stored = (await listNotes(store.read, task.id)).map(({ text }) => text);
    expect(stored.toSorted()).toEqual(acknowledged.toSorted());
  }, 60_000);

  it('still hints at changes after a restart', async () => {
    const url = await server.database();
    const [one, other] = [await open(url), await open(url)];
    await server.restart();
    const task = await putTask(other, await putProject(other));
    const heard = Promise.withResolvers<void>();
    one.onChange(heard.resolve);
    await other.transact((tx) => insertNote(tx, { taskId: task.id, text: 'n', author: { type: 'system' } }));
    expect(await heard.promise).toBeUndefined();
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
    await frozen.query('begin');
    await frozen.query('select pg_advisory_xact_lock(4127001)');
    expect(await store.transact(async () => 'through')).toBe('through');
    await expect(frozen.query('commit')).rejects.toThrow(/terminat|connection/i);
    await frozen.end();
  });
});
