import { aboutTask, openStore } from '@attractor/store';
import { must, sharedDatabase } from '@attractor/store/testing';
import { sql } from 'kysely';
import { expect, it, onTestFinished } from 'vitest';
import { openPgBossQueue } from '../../queue/pg-boss.ts';
import { rememberCalls } from './call-once.ts';

const WAITING = sql`select pid from pg_locks where not granted
  and database = (select oid from pg_database where datname = current_database())`;

it('PostgreSQL: transactions about different tasks overlap, in a call and outside of one', async () => {
  const databaseUrl = await sharedDatabase();
  const records = must(await openStore({ databaseUrl }));
  const queue = must(await openPgBossQueue(records, { databaseUrl, onUnexpected: () => undefined }));
  onTestFinished(async () => {
    await queue.close();
    await records.close();
  });
  const { store, calls } = rememberCalls(queue.store);

  /** Whether one about b ends while one about a is open; else it is seen to wait, and a ends. */
  const overlaps = () =>
    store.transact(async (tx) => {
      let isDone = false;
      const other = store.transact(async () => 'done', aboutTask('b')).then(() => (isDone = true));
      for (;;) {
        const { rows } = await WAITING.execute(tx);
        if (!isDone && rows.length === 0) continue;
        void other.catch(() => undefined);
        return isDone;
      }
    }, aboutTask('a'));

  expect(await overlaps()).toBe(true);
  const call = { key: 'k', hash: 'h', caller: 'c', fits: () => true };
  expect(await calls.callOnce(call, async () => ({ ok: true, value: await overlaps() }))).toMatchObject({
    value: true,
  });
});
