import type { Worker } from './local.ts';
import type { Outbox } from '@attractor/repository';

/** A worker that counts as finished only when the effects of its runs are carried out too. */
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
