import { openStore } from '@attractor/store';
import { must, sharedDatabase } from '@attractor/store/testing';
import { openPgBossQueue } from '../queue/pg-boss.ts';

let template: Promise<string> | null = null;

/** A PostgreSQL database as store and queue leave an empty one that they open: to make their tables takes longer than most tests. */
export async function openedDatabase(): Promise<string> {
  template ??= openOnce();
  return sharedDatabase(await template);
}

async function openOnce(): Promise<string> {
  const databaseUrl = await sharedDatabase();
  const store = must(await openStore({ databaseUrl }));
  const onUnexpected = (error: unknown): void => {
    throw error;
  };
  const queue = must(await openPgBossQueue(store, { databaseUrl, onUnexpected }));
  await queue.close();
  await store.close();
  return databaseUrl;
}
