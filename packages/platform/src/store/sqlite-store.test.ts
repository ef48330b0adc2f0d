import { describeStore } from '../test-support/store-contract.ts';
import { makeFolder } from '../test-support/world.ts';
import { openStore } from './store.ts';

describeStore('SQLite', async () => {
  const home = makeFolder();
  return { open: () => openStore({ home }) };
});
