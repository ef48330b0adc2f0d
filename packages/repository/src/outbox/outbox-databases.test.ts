import { openStore } from '@attractor/store';
import { makeFolder, startPostgres } from '@attractor/store/testing';
import { afterAll } from 'vitest';
import { describeOutbox } from '../test-support/outbox-contract.ts';

const server = await startPostgres();
afterAll(() => server.stop());

describeOutbox('SQLite', async () => {
  const home = makeFolder();
  return { open: () => openStore({ home }) };
});

describeOutbox('PostgreSQL', async () => {
  const databaseUrl = await server.database();
  return { open: () => openStore({ databaseUrl }) };
});
