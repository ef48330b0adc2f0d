import { openStore } from '../store/store.ts';
import { describeQueue } from '../test-support/queue-contract.ts';
import { describeQueueProcesses } from '../test-support/queue-processes-contract.ts';
import { makeFolder } from '../test-support/world.ts';

describeQueue('SQLite', async () => {
  const home = makeFolder();
  return { open: () => openStore({ home }) };
});

describeQueueProcesses('SQLite', async () => ({ home: makeFolder() }));
