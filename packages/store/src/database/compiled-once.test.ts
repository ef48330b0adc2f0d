import { expect, it, onTestFinished } from 'vitest';
import { makeFolder, must } from '../test-support/world.ts';
import { compiledOnce, type Given } from './compiled-once.ts';
import { openStore } from './open-store.ts';
import type { Reader, Store } from './store.ts';

async function open(): Promise<Store> {
  const store = must(await openStore({ home: makeFolder() }));
  onTestFinished(() => store.close());
  return store;
}

/** Counts how often each is built. */
function queries() {
  const built: string[] = [];
  const noted = <Query>(name: string, query: Query): Query => {
    built.push(name);
    return query;
  };
  const insert = compiledOnce((db, row: Given<{ name: string; value: number }>) =>
    noted('insert', db.insertInto('queue_limits').values(row)),
  );
  const among = compiledOnce((db, { names }: Given<{ names: ReadonlyArray<string> }>) =>
    noted(
      `among ${names.length}`,
      db.selectFrom('queue_limits').selectAll().where('name', 'in', names).orderBy('name'),
    ),
  );
  return { built, insert, among };
}

it('a query that is compiled once is filled in with the values of each call, on every database it is asked of', async () => {
  const { built, insert, among } = queries();
  const [one, other] = [await open(), await open()];
  await one.transact(async (tx) => {
    for (const [at, name] of ['a', 'b', 'c'].entries()) await insert(tx, { name, value: at });
  });
  await one.transact((tx) => insert(tx, { name: 'd', value: 3 }));
  expect((await other.transact((tx) => insert(tx, { name: 'a', value: 9 }))).numAffectedRows).toBe(1n);
  expect(built).toEqual(['insert', 'insert']);

  const values = async (db: Reader, ...names: ReadonlyArray<string>) =>
    (await among(db, { names })).rows.map(({ value }) => value);
  expect(await values(one.read, 'a', 'c')).toEqual([0, 2]);
  expect(await values(one.read, 'b', 'd')).toEqual([1, 3]);
  expect(await values(one.read, 'c')).toEqual([2]);
  expect(await values(other.read, 'a', 'c')).toEqual([9]);
  expect(built.slice(2)).toEqual(['among 2', 'among 1', 'among 2']);
});

it('a query that is compiled once refuses a call without one of its values', async () => {
  const store = await open();
  const { insert } = queries();
  await store.transact((tx) => insert(tx, { name: 'a', value: 1 }));
  const partly: { name: string; value: number } = JSON.parse('{"name":"b"}');
  await expect(store.transact(async (tx) => insert(tx, partly))).rejects.toThrow('The query has no value for value');
});
