import { done } from '@attractor/base';
import { openStore } from '../store/store.ts';
import { describeQueue } from '../test-support/queue-contract.ts';
import { describeQueuePort } from '../test-support/queue-port-contract.ts';
import { describeQueueProcesses } from '../test-support/queue-processes-contract.ts';
import { makeFolder } from '../test-support/world.ts';
import { localQueue } from './queue.ts';

describeQueue('SQLite', async () => {
  const home = makeFolder();
  return { open: () => openStore({ home }) };
});

describeQueuePort('embedded', async () => {
  const home = makeFolder();
  return { openStore: () => openStore({ home }), openQueue: async (store) => done(localQueue(store)) };
});

describeQueueProcesses('SQLite', async () => ({ home: makeFolder() }));
