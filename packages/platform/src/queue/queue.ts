import { dropQueuedJob, putJob, type PutOptions, type Store, type Tx } from '@attractor/store';
import { startWorker, type Worker, type WorkerOptions } from './local.ts';

/**
 * Who works on what, and when. `put` and `cancel` are part of the caller's transaction on `store`: the job exists exactly if the decision
 * does. `work` claims jobs until its worker is closed; only the row of a run's job decides who may write for the run, whatever woke the
 * worker. A lost wake-up loses nothing, because a worker also polls.
 */
export type Queue = {
  readonly store: Store;
  readonly put: (tx: Tx, runId: string, options?: PutOptions) => Promise<void>;
  /** False if a worker has it; the run is then asked to stop instead. */
  readonly cancel: (tx: Tx, runId: string) => Promise<boolean>;
  readonly work: (options: Omit<WorkerOptions, 'store' | 'hintPauseMs'>) => Promise<Worker>;
  readonly close: () => Promise<void>;
};

/** The embedded queue: woken by every change of the store, and by polling once a second. */
export function localQueue(store: Store): Queue {
  return {
    store,
    put: putJob,
    cancel: dropQueuedJob,
    work: async (options) => startWorker({ ...options, store }),
    close: async () => undefined,
  };
}
