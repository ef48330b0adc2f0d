import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '@attractor/base/id';
import {
  ABOUT_NOTHING_ELSE,
  forgetWorkers,
  listWorkers,
  noteWorker,
  type Store,
  transactionNow,
  type Tx,
  type WorkerNote,
  type WorkerRecord,
  WORKER_SIGN_MS,
} from '@attractor/store';

/** How long a worker that vanished without notice stays listed. */
const FORGET_AFTER_MS = 10 * 60_000;
/** If a worker leaves while the database is unreachable, its silence shows that it is gone. */
const GOODBYE_MS = 1_000;

export type SignOptions = Omit<WorkerNote, 'id' | 'host'> & { readonly store: Store; readonly signMs?: number };

/**
 * Each worker, busy or idle, has a row that it refreshes now and then and deletes when it leaves. Nothing is decided by it: only the rows
 * of jobs say who may work on what.
 */
export function startSigns({ store, signMs, ...own }: SignOptions): { readonly stop: () => Promise<void> } {
  const note: WorkerNote = { ...own, id: newId('wrk'), host: hostname() };
  let last: Promise<void> = Promise.resolve();
  const then = (work: (tx: Tx) => Promise<void>): void => {
    // A failed sign is made up for by the next one.
    last = last.then(() => store.transact(work, ABOUT_NOTHING_ELSE)).catch(() => undefined);
  };
  const sign = (): void =>
    then(async (tx) => {
      await noteWorker(tx, note);
      const gone = (await listWorkers(tx)).filter((worker) => isLongGone(worker, transactionNow(tx)));
      await forgetWorkers(
        tx,
        gone.map(({ id }) => id),
      );
    });
  const timer = setInterval(sign, signMs ?? WORKER_SIGN_MS);
  timer.unref();
  sign();
  return {
    stop: async () => {
      clearInterval(timer);
      then((tx) => forgetWorkers(tx, [note.id]));
      await Promise.race([last, sleep(GOODBYE_MS, undefined, { ref: false })]);
    },
  };
}

/** A time in the future was written before the machine's clock restarted. */
function isLongGone({ seen }: WorkerRecord, now: number): boolean {
  return Math.abs(now - seen) > FORGET_AFTER_MS;
}
