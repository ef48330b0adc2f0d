import { openStore } from '@attractor/store';
import { makeFolder, sharedDatabase } from '@attractor/store/testing';
import { describeOutbox } from '../test-support/outbox-contract.ts';

describeOutbox('SQLite', async () => {
  const home = makeFolder();
  return { open: () => openStore({ home }) };
});

describeOutbox('PostgreSQL', async () => {
  const databaseUrl = await sharedDatabase();
  return { open: () => openStore({ databaseUrl }) };
});
