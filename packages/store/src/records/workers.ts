import { parseJson } from '../database/json.ts';
import type { Reader, Store, Tx } from '../database/store.ts';
import { ownerState } from './owner.ts';
import { transactionNow, transactionTime } from '../database/transaction-time.ts';

/** Rare: each sign is a transaction, which waits for all others and wakes all listeners. */
export const WORKER_SIGN_MS = 10_000;
/** After three missed signs. */
const SILENT_AFTER_MS = 3 * WORKER_SIGN_MS;

/** What a worker reports about itself. */
export type WorkerNote = {
  readonly id: string;
  readonly owner: string;
  readonly host: string;
  readonly labels: ReadonlyArray<string>;
  readonly concurrency: number;
};

/** `seen` is `seenAt` in milliseconds of the store's clock (`Store.now`). */
export type WorkerRecord = WorkerNote & { readonly seenAt: string; readonly seen: number };

export async function noteWorker(tx: Tx, { labels, ...note }: WorkerNote): Promise<void> {
  const sign = { seen_at: transactionTime(tx), seen: transactionNow(tx) };
  await tx
    .insertInto('workers')
    .values({ ...note, ...sign, labels: JSON.stringify(labels), started_at: sign.seen_at })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(sign))
    .execute();
}

export async function forgetWorkers(tx: Tx, ids: ReadonlyArray<string>): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('workers').where('id', 'in', ids).execute();
}

/** The longest-running first. */
export async function listWorkers(db: Reader): Promise<ReadonlyArray<WorkerRecord>> {
  const rows = await db.selectFrom('workers').selectAll().orderBy('id').execute();
  return rows.map(({ seen_at, started_at: _startedAt, labels, ...row }) => ({
    ...row,
    labels: parseJson<ReadonlyArray<string>>(labels, []),
    seenAt: seen_at,
  }));
}

/** `dead`: its process is known to have ended. `silent`: it has been silent for too long. */
export function signState({ owner, seen }: WorkerRecord, now: number): 'here' | 'silent' | 'dead' {
  if (ownerState(owner) === 'dead') return 'dead';
  return Math.abs(now - seen) > SILENT_AFTER_MS ? 'silent' : 'here';
}

/** The workers that give signs of life. */
export async function listWorkersHere({
  read,
  now,
}: Pick<Store, 'read' | 'now'>): Promise<ReadonlyArray<WorkerRecord>> {
  const at = await now();
  return (await listWorkers(read)).filter((worker) => signState(worker, at) === 'here');
}

/** Null if one of the workers has all that a run needs. */
export function whyUnmet(
  labels: ReadonlyArray<string>,
  workers: ReadonlyArray<Pick<WorkerNote, 'labels'>>,
): string | null {
  if (workers.some((worker) => labels.every((label) => worker.labels.includes(label)))) return null;
  return `No running worker has ${labels.join(', ')}. Start one where it is: attractor worker --labels ${labels.join(',')}`;
}
