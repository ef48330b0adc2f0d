import { dropQueuedJob, putJob, type PutOptions, type Store, type Tx } from '@attractor/store';
import { startWorker, type Worker, type WorkerOptions } from './local.ts';

/**
 * Who works on what, and when. `put` and `cancel` are part of the caller's transaction on `store`: the job exists when the decision
 * does. `work` claims jobs until its worker is closed; who may write for a run is decided by the row of its job alone, whatever woke
 * the worker. Nothing is lost when a wake-up is: a worker also looks by itself.
 */
export type Queue = {
  readonly store: Store;
  readonly put: (tx: Tx, runId: string, options?: PutOptions) => Promise<void>;
  /** False where a worker has it: then the run is asked to stop instead. */
  readonly cancel: (tx: Tx, runId: string) => Promise<boolean>;
  readonly work: (options: Omit<WorkerOptions, 'store' | 'hintPauseMs'>) => Promise<Worker>;
  readonly close: () => Promise<void>;
};

/** The embedded queue: woken by every change of the store, and by looking once a second. */
export function localQueue(store: Store): Queue {
  return {
    store,
    put: putJob,
    cancel: dropQueuedJob,
    work: async (options) => startWorker({ ...options, store }),
    close: async () => undefined,
  };
}
