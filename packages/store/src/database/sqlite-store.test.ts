import { describeStore } from '../test-support/store-contract.ts';
import { makeFolder } from '../test-support/world.ts';
import { openStore } from './open-store.ts';

const makePlace = async () => {
  const home = makeFolder();
  return { open: () => openStore({ home }) };
};

describeStore('SQLite', makePlace);
