import type { PgBoss } from 'pg-boss';
import { done } from '@attractor/base';
import {
  explainPostgres,
  isRefusal,
  postgresFailure,
  refuse,
  type Result,
  type Store,
  TICKETS_SCHEMA,
  ticketsOf,
  type Tx,
} from '@attractor/store';
import { startWorker } from './local.ts';
import { localQueue, type Queue } from './queue.ts';

const TICKETS = 'attractor-jobs';
/** Every commit hints to every worker that there may be work; with tickets these hints are only the fallback. */
const HINT_PAUSE_MS = 1_000;
/** As long as a claim takes. */
const GATHER_MS = 4;
const SILENCE_MS = 1_000;

/**
 * The queue of many machines. pg-boss delivers: each job that a transaction puts is also a ticket, written by the same transaction, due at
 * the job's time and given to one worker, which then looks for the job whose turn it is. The job's own row decides who has it, as on one
 * machine, so a ticket that comes twice, late or never neither starts anything twice nor loses anything.
 */
export async function openPgBossQueue(
  store: Store,
  options: {
    readonly databaseUrl: string;
    readonly onUnexpected: (error: unknown) => void;
    /** As in the store. */
    readonly silenceMs?: number;
  },
): Promise<Result<Queue>> {
  const [{ PgBoss, fromKysely }, { watchConnections }] = await Promise.all([
    import('pg-boss'),
    import('@attractor/store/postgres'),
  ]);
  const lines = watchConnections({ connectionString: options.databaseUrl }, options.silenceMs ?? SILENCE_MS);
  const ofPool = {
    connectionString: options.databaseUrl,
    // For the library's pool, which is configured from all of these options.
    ...lines.ofPool,
    application_name: 'attractor queue',
    schema: TICKETS_SCHEMA,
    max: 3,
    schedule: false,
    useListenNotify: true,
    // Together with the library's first pause before it listens again, a dead connection is replaced within 5 s.
    notifyHeartbeatIntervalMs: 2_000,
    notifyHeartbeatTimeoutMs: 2_000,
  };
  const boss = new PgBoss(ofPool);
  let isClosing = false;
  // A ticket in hand is delivered again elsewhere, so there is nothing to wait for.
  const close = (): Promise<void> => {
    isClosing = true;
    return lines.stop(boss.stop({ graceful: false }));
  };
  // pg-boss reports a lost database and continues when it is back; the worker polls meanwhile. While it stops, a worker of its own may still
  // ask the pool that it has closed.
  boss.on('error', (error) => {
    if (!isClosing && postgresFailure(asError(error)) === null) options.onUnexpected(error);
  });
  try {
    await boss.start();
    await boss.createQueue(TICKETS, { retryLimit: 3, expireInSeconds: 60, deleteAfterSeconds: 3_600, notify: true });
  } catch (error) {
    await close().catch(() => undefined);
    if (postgresFailure(error) === null && !(error instanceof Error && 'code' in error)) throw error;
    return refuse('database', explainPostgres(options.databaseUrl, error));
  }
  const ring = async (tx: Tx): Promise<void> => {
    for (const { jobId, notBefore } of ticketsOf(tx))
      await boss.send(
        TICKETS,
        { jobId },
        { db: fromKysely(tx), ...(notBefore === null ? {} : { startAfter: notBefore }) },
      );
  };
  return done(onBoss(ringing(store, ring), { boss, close }));
}

/** It reports some failures as plain objects with the fields of an error. */
function asError(told: { readonly message: string }): Error {
  return told instanceof Error ? told : Object.assign(new Error(told.message), told);
}

/** The same store, with tickets for what its transactions put. */
function ringing(store: Store, ring: (tx: Tx) => Promise<void>): Store {
  return {
    ...store,
    transact: (work, ...rest) =>
      store.transact(
        async (tx) => {
          const value = await work(tx);
          if (!isRefusal(value)) await ring(tx);
          return value;
        },
        ...rest,
      ),
  };
}

type OpenBoss = { readonly boss: PgBoss; readonly close: () => Promise<void> };

function onBoss(store: Store, { boss, close }: OpenBoss): Queue {
  return {
    ...localQueue(store),
    work: async (options) => {
      const worker = startWorker({ ...options, store, hintPauseMs: HINT_PAUSE_MS, gatherMs: GATHER_MS });
      if (options.concurrency === 0) return worker;
      await boss.work(TICKETS, { batchSize: options.concurrency, pollingIntervalSeconds: 2 }, async () =>
        worker.wake(),
      );
      return worker;
    },
    close,
  };
}
