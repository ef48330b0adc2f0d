import type { Worker } from './local.ts';
import type { Outbox } from '@attractor/repository';

/** A worker that has not ended its work before what its runs decided for outside is done too. */
export function workerWithOutbox<Base extends Worker>(worker: Base, outbox: Outbox): Base {
  return {
    ...worker,
    idle: async () => {
      await worker.idle();
      await outbox.idle();
    },
    close: async () => {
      await worker.close();
      await outbox.close();
    },
  };
}
