import { dropQueuedJob, type PutOptions, putJob } from '../store/jobs.ts';
import type { Store, Tx } from '../store/store.ts';
import { startScheduler } from './fire-schedules.ts';
import { startWorker, type Worker, type WorkerOptions } from './local.ts';

/**
 * Who works on what, and when. `put` and `cancel` are part of the caller's transaction on `store`: the job exists when the decision
 * does. `work` claims jobs until its worker is closed; who may write for a run is decided by the row of its job alone, whatever woke
 * the worker. `schedule` does what is due. Nothing is lost when a wake-up is: a worker also looks by itself.
 */
export type Queue = {
  readonly store: Store;
  readonly put: (tx: Tx, runId: string, options?: PutOptions) => Promise<void>;
  /** False where a worker has it: then the run is asked to stop instead. */
  readonly cancel: (tx: Tx, runId: string) => Promise<boolean>;
  readonly work: (options: Omit<WorkerOptions, 'store' | 'hintPauseMs'>) => Promise<Worker>;
  readonly schedule: (options: ScheduleOptions) => { readonly stop: () => Promise<void> };
  readonly close: () => Promise<void>;
};

type ScheduleOptions = { readonly defaultAgentType: string; readonly onUnexpected: (error: unknown) => void };

/** The embedded queue: woken by every change of the store, and by looking once a second. */
export function localQueue(store: Store): Queue {
  return {
    store,
    put: putJob,
    cancel: dropQueuedJob,
    work: async (options) => startWorker({ ...options, store }),
    schedule: (options) => startScheduler({ ...options, store }),
    close: async () => undefined,
  };
}
