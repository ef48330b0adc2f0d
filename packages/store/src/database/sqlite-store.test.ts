import { describeOutbox } from '../test-support/outbox-contract.ts';
import { describeStore } from '../test-support/store-contract.ts';
import { makeFolder } from '../test-support/world.ts';
import { openStore } from './store.ts';

const makePlace = async () => {
  const home = makeFolder();
  return { open: () => openStore({ home }) };
};

describeStore('SQLite', makePlace);
describeOutbox('SQLite', makePlace);
