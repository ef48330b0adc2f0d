import {
  type Claim,
  type Job,
  labelsOf,
  listCandidates,
  listRunningJobs,
  setBlocked,
  type StartBlock,
  takeJob,
} from '../store/jobs.ts';
import { type Lane, listLanes, listWaitingLanes, markServed, readLimits } from '../store/queue-lanes.ts';
import { findRun } from '../store/runs.ts';
import type { Reader, Store, Tx } from '../store/store.ts';
import { transactionTime } from '../store/transaction-time.ts';
import { fullNames, type Load, orderLanes } from './fair-order.ts';
import { ownerState } from './owner.ts';
import { giveUp, isPoison } from './poison.ts';
import type { StartGate } from './start-gate.ts';

/** How long a worker that says nothing keeps its jobs. */
export const LEASE_MS = 20_000;

/** Who asks for work: its name for the lease, what it has, and what else must agree before a run starts. */
export type Claimer = {
  readonly owner: string;
  readonly labels?: ReadonlyArray<string>;
  readonly gates?: ReadonlyArray<StartGate>;
  /** Which runs are this worker's to take; the rest it leaves alone without a word. Absent: all. */
  readonly accepts?: (runId: string) => boolean;
  readonly leaseMs?: number;
  /** For the pipelines of tasks whose run is given up. */
  readonly defaultAgentType?: string;
};

/** `blocked`: there is work, and only gates hold it back. */
export type ClaimAnswer = { readonly claim: Claim } | { readonly claim: null; readonly blocked: boolean };

/**
 * The next job that this worker may take: first what a dead or frozen worker left behind, then from the project whose turn it is the
 * job with the best place. Pauses, caps, labels and gates are read in the transaction that takes the job, and transactions run one
 * after another: whoever asks at the same time, no cap is exceeded and each job has one owner.
 */
export async function claimNext(
  store: Store,
  claimer: Claimer,
  expect: 'nothing' | 'something' = 'nothing',
): Promise<ClaimAnswer> {
  const now = await store.now();
  // Who expects nothing looks first: a transaction has to wait for all others.
  if (expect === 'nothing' && !(await seesWork(store, claimer, now))) return NOTHING;
  try {
    return await store.transact(async (tx) => {
      const seen = await lookAround(tx, claimer, { now, at: transactionTime(tx) });
      const claim = (await takeOver(tx, claimer, seen)) ?? (await takeWaiting(tx, claimer, seen));
      if (claim.claim === null && !claim.isChanged) throw new Unchanged(claim.blocked);
      return claim.claim === null ? { claim: null, blocked: claim.blocked } : { claim: claim.claim };
    });
  } catch (error) {
    if (error instanceof Unchanged) return { claim: null, blocked: error.blocked };
    throw error;
  }
}

export async function claimJob(store: Store, claimer: Claimer): Promise<Claim | null> {
  return (await claimNext(store, claimer)).claim;
}

async function seesWork(store: Store, claimer: Claimer, now: number): Promise<boolean> {
  const glance = await lookAround(store.read, claimer, { now, at: sharedTime(store, now) });
  return glance.left.length > 0 || hasCandidate(store.read, claimer, glance);
}

const NOTHING: ClaimAnswer = { claim: null, blocked: false };

/** Takes the transaction back: nothing was claimed and nothing new is to be said. */
class Unchanged extends Error {
  override readonly name = 'Unchanged';
  readonly blocked: boolean;
  constructor(blocked: boolean) {
    super();
    this.blocked = blocked;
  }
}

/** The clock that all who share the database share, as a time of day. */
function sharedTime(store: Store, now: number): string {
  return (store.dialect === 'postgres' ? new Date(now) : new Date()).toISOString();
}

type Surroundings = Load & {
  readonly at: string;
  readonly leaseUntil: number;
  /** Running jobs that nobody works on. */
  readonly left: ReadonlyArray<Job>;
  /** Projects with room, in their order. */
  readonly lanes: ReadonlyArray<Lane>;
};

async function lookAround(
  db: Reader,
  claimer: Claimer,
  { now, at }: { readonly now: number; readonly at: string },
): Promise<Surroundings> {
  const nothing = { at, leaseUntil: now + (claimer.leaseMs ?? LEASE_MS), running: [], limits: [], left: [], lanes: [] };
  const { isPaused, limits } = await readLimits(db);
  if (isPaused) return nothing;
  const running = await listRunningJobs(db);
  return {
    ...nothing,
    running,
    limits,
    left: await leftBehind(db, claimer, { running, now }),
    lanes: orderLanes(await listWaitingLanes(db, at), running),
  };
}

async function leftBehind(
  db: Reader,
  claimer: Claimer,
  { running, now }: { readonly running: ReadonlyArray<Job>; readonly now: number },
): Promise<ReadonlyArray<Job>> {
  const orphans = running.filter((job) => isOrphan(job, now) && isAccepted(claimer, job));
  if (orphans.length === 0) return [];
  const paused = new Set((await listLanes(db)).filter((lane) => lane.isPaused).map(({ projectId }) => projectId));
  const fitting: Job[] = [];
  for (const job of orphans) {
    const labels = await labelsOf(db, job.id);
    if (!paused.has(job.projectId) && labels.every((label) => claimer.labels?.includes(label) === true))
      fitting.push(job);
  }
  return fitting;
}

function isAccepted({ accepts }: Claimer, { runId }: Job): boolean {
  return accepts === undefined || accepts(runId);
}

/** A dead process on this machine is seen at once; of another machine only the lease tells. */
function isOrphan(job: Job, now: number): boolean {
  const owner = job.owner === null ? 'dead' : ownerState(job.owner);
  return owner === 'dead' || (job.leaseUntil ?? 0) < now;
}

const PAGE = 16;
/** More blocked jobs of one project than this are not looked past in one go. */
const MOST_PAGES = 12;

function candidates(db: Reader, claimer: Claimer, on: Surroundings & { readonly lane: Lane; readonly offset: number }) {
  return listCandidates(db, {
    projectId: on.lane.projectId,
    at: on.at,
    fullAgents: fullNames(on, 'agent'),
    fullAccounts: fullNames(on, 'account'),
    labels: claimer.labels ?? [],
    limit: PAGE,
    offset: on.offset,
  });
}

async function hasCandidate(db: Reader, claimer: Claimer, seen: Surroundings): Promise<boolean> {
  for (const lane of seen.lanes)
    if ((await candidates(db, claimer, { ...seen, lane, offset: 0 })).length > 0) return true;
  return false;
}

type Attempt =
  | { readonly claim: Claim }
  | { readonly claim: null; readonly isChanged: boolean; readonly blocked: boolean };

async function takeOver(tx: Tx, claimer: Claimer, seen: Surroundings): Promise<Attempt | null> {
  let isChanged = false;
  for (const job of seen.left) {
    if (!isPoison(job)) return { claim: await takeJob(tx, job, { owner: claimer.owner, leaseUntil: seen.leaseUntil }) };
    await giveUp(tx, job, claimer.defaultAgentType ?? job.agentType);
    isChanged = true;
  }
  return isChanged ? { claim: null, isChanged, blocked: false } : null;
}

async function takeWaiting(tx: Tx, claimer: Claimer, seen: Surroundings): Promise<Attempt> {
  const found = { isChanged: false, blocked: false };
  for (const lane of seen.lanes) {
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const jobs = await candidates(tx, claimer, { ...seen, lane, offset: page * PAGE });
      for (const job of jobs.filter((candidate) => isAccepted(claimer, candidate))) {
        const answer = await tryJob(tx, claimer, job);
        if (answer === 'free') {
          await markServed(tx, lane.projectId);
          return { claim: await takeJob(tx, job, { owner: claimer.owner, leaseUntil: seen.leaseUntil }) };
        }
        if (answer === 'given_up') found.isChanged = true;
        else {
          found.blocked = true;
          if (await setBlocked(tx, job, answer)) found.isChanged = true;
        }
      }
      if (jobs.length < PAGE) break;
    }
  }
  return { claim: null, ...found };
}

async function tryJob(tx: Tx, claimer: Claimer, job: Job): Promise<'free' | 'given_up' | StartBlock> {
  const run = await findRun(tx, job.runId);
  if (isPoison(job) || run === null) {
    await giveUp(tx, job, claimer.defaultAgentType ?? job.agentType);
    return 'given_up';
  }
  for (const gate of claimer.gates ?? []) {
    const block = await gate(tx, run);
    if (block !== null) return block;
  }
  return 'free';
}
