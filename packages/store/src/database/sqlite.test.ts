import path from 'node:path';
import { Kysely, sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { makeFolder } from '../test-support/world.ts';
import { openDatabase, sqliteDialect } from './sqlite.ts';

type Tables = { readonly words: { readonly id: number; readonly word: string } };

async function open(file: string): Promise<Kysely<Tables>> {
  const store = new Kysely<Tables>({ dialect: sqliteDialect(await openDatabase(file, 'writing')) });
  onTestFinished(() => store.destroy());
  return store;
}

it('uses a statement again after another connection changed the table, and after it failed', async () => {
  const file = path.join(makeFolder(), 'words.db');
  const [mine, other] = [await open(file), await open(file)];
  await sql`create table words (id integer primary key, word text not null)`.execute(mine);
  const add = () => mine.insertInto('words').values({ id: 1, word: 'one' }).execute();
  const all = () => mine.selectFrom('words').selectAll().execute();
  await add();
  expect(await all()).toEqual([{ id: 1, word: 'one' }]);
  await expect(add()).rejects.toThrow('UNIQUE');
  await sql`alter table words add column more text default 'more'`.execute(other);
  expect(await all()).toEqual([{ id: 1, word: 'one', more: 'more' }]);
  await other.deleteFrom('words').execute();
  await add();
  expect(await all()).toHaveLength(1);
});

it('runs more different statements than it keeps', async () => {
  const store = await open(path.join(makeFolder(), 'words.db'));
  await sql`create table words (id integer primary key, word text not null)`.execute(store);
  for (let id = 1; id <= 300; id += 1) await sql.raw(`insert into words values (${id}, 'word ${id}')`).execute(store);
  expect(await store.selectFrom('words').selectAll().execute()).toHaveLength(300);
});
