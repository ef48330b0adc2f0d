import { done } from '@attractor/base';
import { openStore } from '@attractor/store';
import { describeClaims } from '../test-support/claims-contract.ts';
import { describeQueue } from '../test-support/queue-contract.ts';
import { describeQueuePort } from '../test-support/queue-port-contract.ts';
import { describeQueueProcesses } from '../test-support/queue-processes-contract.ts';
import { makeFolder, openedHome } from '@attractor/store/testing';
import { localQueue } from './queue.ts';

const makePlace = async () => {
  const home = await openedHome(makeFolder());
  return { open: () => openStore({ home }) };
};

describeClaims('SQLite', makePlace);
describeQueue('SQLite', makePlace);

describeQueuePort('embedded', async () => {
  const home = await openedHome(makeFolder());
  return { openStore: () => openStore({ home }), openQueue: async (store) => done(localQueue(store)) };
});

describeQueueProcesses('SQLite', async () => ({ home: await openedHome(makeFolder()) }));
