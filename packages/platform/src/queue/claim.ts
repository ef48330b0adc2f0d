import type { Store } from '../store/store.ts';
import { type Claim, type Job, listOpenJobs, takeJob } from '../store/jobs.ts';
import { ownerState } from './owner.ts';

export const LEASE_MS = 30_000;

/** Takes the oldest job that is free: queued, or left by a dead owner, or past its lease. The transaction decides races; the fence grows. */
export async function claimJob(store: Store, owner: string): Promise<Claim | null> {
  const now = await store.now();
  if (!(await listOpenJobs(store.read)).some((job) => isFree(job, now))) return null;
  return store.transact(async (tx) => {
    const job = (await listOpenJobs(tx)).find((open) => isFree(open, now));
    return job === undefined ? null : takeJob(tx, job, { owner, leaseUntil: now + LEASE_MS });
  });
}

/** A job that keeps crashing whoever takes it is left alone, so that the others flow; its run shows as running without progress. */
const MAX_ATTEMPTS = 10;

function isFree(job: Job, now: number): boolean {
  if (job.attempts >= MAX_ATTEMPTS) return false;
  if (job.state === 'queued') return true;
  const owner = job.owner === null ? 'dead' : ownerState(job.owner);
  return owner === 'dead' || (job.leaseUntil ?? 0) < now;
}
