import { sql } from 'kysely';
import { hasOthersBeside } from '../database/held-subjects.ts';
import type { Reader, Store, Tx } from '../database/store.ts';
import { ABOUT_NOTHING_ELSE } from '../database/subjects.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { asUnasked, unasked } from '../database/unasked.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** Why a job is not started yet, described for people. `code` names what holds it up; `until` is an ISO time if one is known. */
export type StartBlock = { readonly code: string; readonly message: string; readonly until?: string };

/** Proof of a claim: every write on behalf of the job presents it. */
export type Claim = {
  readonly jobId: string;
  readonly runId: string;
  readonly fence: number;
  readonly attempts: number;
};

/** In a transaction it also stays so until that ends: a claim that is taken over meanwhile waits for it, and is taken over later. */
export async function holdsClaim(db: Reader, claim: Claim): Promise<boolean> {
  const query = db.selectFrom('jobs').select(['fence', 'state']).where('id', '=', claim.jobId);
  const row = await (hasOthersBeside(db) ? query.forUpdate() : query).executeTakeFirst();
  return row?.fence === claim.fence && row.state === 'running';
}

/** As `holdsClaim`, and whether a person asked to stop the run. */
export async function lookAtClaim(
  db: Reader,
  claim: Claim,
): Promise<{ readonly isHeld: boolean; readonly isCancelRequested: boolean }> {
  const asked = { jobId: claim.jobId };
  const [row] = (await (hasOthersBeside(db) ? heldJobAndRun(db, asked) : seenJobAndRun(db, asked))).rows;
  return {
    isHeld: row?.fence === claim.fence && row.state === 'running',
    isCancelRequested: row?.cancel_requested === 1,
  };
}

type OfJob = Given<{ jobId: string }>;
const seenJobAndRun = compiledOnce((db, { jobId }: OfJob) => jobAndRun(db, jobId));
const heldJobAndRun = compiledOnce((db, { jobId }: OfJob) => jobAndRun(db, jobId).forUpdate('jobs'));

function jobAndRun(db: Reader, jobId: OfJob['jobId']) {
  return db
    .selectFrom('jobs')
    .innerJoin('runs', 'runs.id', 'jobs.run_id')
    .select(['jobs.fence', 'jobs.state', 'runs.cancel_requested'])
    .where('jobs.id', '=', jobId);
}

/** The same for a transaction that asks nothing (`isSilent`): it fails if the claim is not held. */
export async function insistOnClaim(tx: Tx, { jobId, fence }: Claim): Promise<void> {
  await heldOrFail(tx, { jobId, fence });
}

/** Nothing but a division by zero fails in every PostgreSQL. */
const heldOrFail = compiledOnce((db, { jobId, fence }: Given<Held>) => {
  const own = db.selectFrom('jobs').select('id').where('id', '=', jobId).where('fence', '=', fence);
  const held = own.where('state', '=', 'running').forUpdate().as('held');
  return asUnasked(db.selectFrom(held).select(sql`1 / count(*)`.as('held')));
});

export async function extendLease(tx: Tx, claim: Claim, leaseUntil: number): Promise<boolean> {
  return changed(await held(tx, claim).set({ lease_until: leaseUntil }).executeTakeFirst());
}

/** The run made progress: earlier fruitless claims no longer count. */
export async function markProgress(tx: Tx, claim: Claim): Promise<void> {
  await unasked(held(tx, claim).set({ attempts: 0 }).where('attempts', '>', 0));
}

export async function finishJob(tx: Tx, claim: Claim): Promise<void> {
  await finishHeld(tx, { jobId: claim.jobId, fence: claim.fence });
}

const finishHeld = compiledOnce((db, claim: Given<Held>) =>
  asUnasked(held(db, claim).set({ state: 'done', owner: null, lease_until: null })),
);

/** The same where nothing else is to be written. */
export function finishOnlyJob(store: Store, claim: Claim): Promise<void> {
  return store.transact((tx) => finishJob(tx, claim), ABOUT_NOTHING_ELSE, undefined, 'silent');
}

/** Returns the job to the queue for the next worker. A claim that was given up on purpose does not count as an attempt. */
export async function releaseJob(tx: Tx, claim: Claim, because: 'parked' | 'crashed'): Promise<boolean> {
  const free = { state: 'queued', owner: null, lease_until: null, blocked: null } as const;
  const change = because === 'parked' ? { ...free, attempts: Math.max(0, claim.attempts - 1) } : free;
  return changed(await held(tx, claim).set(change).executeTakeFirst());
}

const OUT_OF_SERVICE_MS = 5_000;

/** As `releaseJob`, because the database took no changes: nobody takes it again at once, and it does not count as an attempt. */
export async function putOffJob(tx: Tx, claim: Claim): Promise<void> {
  if (!(await releaseJob(tx, claim, 'parked'))) return;
  const until = new Date(Date.parse(transactionTime(tx)) + OUT_OF_SERVICE_MS).toISOString();
  const block: StartBlock = { code: 'database', message: 'The database took no changes', until };
  await tx
    .updateTable('jobs')
    .set({ not_before: until, blocked: JSON.stringify(block) })
    .where('id', '=', claim.jobId)
    .execute();
}

/** A claim that was lost through no fault of its run: it does not count as an attempt, whoever has the job by now. */
export async function forgiveClaim(tx: Tx, claim: Claim): Promise<void> {
  await tx
    .updateTable('jobs')
    .set(({ eb }) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', '=', claim.jobId)
    .where('fence', '>', claim.fence)
    .where('attempts', '>', 0)
    .where('state', '!=', 'done')
    .execute();
}

/** The run waits without its worker: the job is nobody's until `wakeJob`. */
export async function leaveWaiting(tx: Tx, claim: Claim, block: StartBlock): Promise<boolean> {
  const change = { state: 'waiting', owner: null, lease_until: null, blocked: JSON.stringify(block) } as const;
  return changed(
    await held(tx, claim)
      .set({ ...change, attempts: Math.max(0, claim.attempts - 1) })
      .executeTakeFirst(),
  );
}

/** What a run waits for while its worker still has it; null: it works again. */
export async function setWaiting(tx: Tx, claim: Claim, block: StartBlock | null): Promise<void> {
  await held(tx, claim)
    .set({ blocked: block === null ? null : JSON.stringify(block) })
    .execute();
}

type Held = Pick<Claim, 'jobId' | 'fence'>;

function held(db: Reader, claim: Held | Given<Held>) {
  return db
    .updateTable('jobs')
    .where('id', '=', claim.jobId)
    .where('fence', '=', claim.fence)
    .where('state', '=', 'running');
}

function changed(result: { readonly numUpdatedRows: bigint }): boolean {
  return result.numUpdatedRows === 1n;
}
