import {
  ABOUT_QUEUE,
  type Claim,
  findRunsToStart,
  type Job,
  labelsOf,
  listLanes,
  listRunningJobs,
  listWaitingLanes,
  markServed,
  ownerState,
  type Reader,
  readLimits,
  type Store,
  takeJobs,
  transactionNow,
  transactionTime,
  type Tx,
} from '@attractor/store';
import {
  candidates,
  chooseWaiting,
  type Claimer,
  type Held,
  isAccepted,
  PAGE,
  type Surroundings,
  type Taking,
  type Turns,
  withTurn,
} from './choose.ts';
import { fullNames, orderLanes } from './fair-order.ts';
import { heldForNewer } from '@attractor/pipeline';
import { giveUp, isPoison } from './poison.ts';

/** How long a silent worker keeps its jobs. */
export const LEASE_MS = 15_000;

/** `blocked`: there is more work, held back only by gates. `since`: when the leases began, by this process's clock. */
export type ClaimAnswer = {
  readonly claims: ReadonlyArray<Claim>;
  readonly blocked: boolean;
  readonly since: number;
};

/**
 * The next jobs that this worker may take, as many as it has room for: first what a dead or frozen worker left behind, then the best-placed
 * job of the project whose turn it is. Pauses, caps, labels and gates are read in the transaction that takes the jobs, and claims run one
 * after another: no cap is exceeded and each job has one owner.
 */
export async function claimNext(
  store: Store,
  claimer: Claimer,
  { room, expectsWork }: { readonly room: number; readonly expectsWork: boolean },
): Promise<ClaimAnswer> {
  // A worker that expects nothing looks first: a claim has to wait for all others.
  if (!expectsWork && !(await seesWork(store, claimer))) return NOTHING;
  try {
    let load: Load | undefined;
    return await store.transact(
      async (tx) => {
        const { at, now } = { at: transactionTime(tx), now: transactionNow(tx) };
        const since = performance.now();
        const seen = await lookAround(tx, claimer, { at, now, load: load ?? (await readLoad(tx)) });
        const taking = { tx, claimer, seen, room };
        const found = await takeWaiting(taking, await takeOver(taking));
        if (!found.isChanged) throw new Unchanged(found.blocked);
        return { claims: found.claims, blocked: found.blocked, since };
      },
      ABOUT_QUEUE,
      async (tx) => {
        load = await readLoad(tx);
      },
    );
  } catch (error) {
    if (error instanceof Unchanged) return { ...NOTHING, blocked: error.blocked };
    throw error;
  }
}

export async function claimJob(store: Store, claimer: Claimer): Promise<Claim | null> {
  return (await claimNext(store, claimer, { room: 1, expectsWork: false })).claims[0] ?? null;
}

async function seesWork(store: Store, claimer: Claimer): Promise<boolean> {
  const now = await store.now();
  const load = await readLoad(store.read);
  const glance = await lookAround(store.read, claimer, { now, at: sharedTime(store, now), load });
  return glance.left.length > 0 || hasCandidate(store.read, claimer, glance);
}

const NOTHING: ClaimAnswer = { claims: [], blocked: false, since: 0 };

/** Rolls the transaction back: nothing was claimed and there is nothing new to report. */
class Unchanged extends Error {
  override readonly name = 'Unchanged';
  readonly blocked: boolean;
  constructor(blocked: boolean) {
    super();
    this.blocked = blocked;
  }
}

/** The clock shared by everyone on the database, as a time of day. */
function sharedTime(store: Store, now: number): string {
  return (store.dialect === 'postgres' ? new Date(now) : new Date()).toISOString();
}

type Load = { readonly running: ReadonlyArray<Job>; readonly limits: Awaited<ReturnType<typeof readLimits>> };

async function readLoad(db: Reader): Promise<Load> {
  const [limits, running] = await Promise.all([readLimits(db), listRunningJobs(db)]);
  return { limits, running };
}

async function lookAround(
  db: Reader,
  claimer: Claimer,
  { now, at, load }: { readonly now: number; readonly at: string; readonly load: Load },
): Promise<Surroundings> {
  const nothing = { at, leaseUntil: now + (claimer.leaseMs ?? LEASE_MS), running: [], limits: [], left: [], lanes: [] };
  const { running } = load;
  if (load.limits.isPaused) return nothing;
  return {
    ...nothing,
    running: atWork(running),
    limits: load.limits.limits,
    left: await leftBehind(db, claimer, { running, now }),
    lanes: orderLanes(await listWaitingLanes(db, at), atWork(running)),
  };
}

/** A run that waits for a person takes nobody's place. */
function atWork(running: ReadonlyArray<Job>): ReadonlyArray<Job> {
  return running.filter(({ blocked }) => blocked === null);
}

/** Whether a run that waited may work again without exceeding a cap; other claims are in other transactions. */
export async function hasRoomFor(tx: Tx, claim: Claim): Promise<boolean> {
  const running = await listRunningJobs(tx);
  const own = running.find(({ id }) => id === claim.jobId);
  if (own === undefined) return false;
  const load = { running: atWork(running), limits: (await readLimits(tx)).limits };
  const lanes = (await listLanes(tx)).filter(({ projectId }) => projectId === own.projectId);
  return (
    orderLanes(
      lanes.map((lane) => ({ ...lane, isPaused: false })),
      load.running,
    ).length > 0 &&
    !fullNames(load, 'agent').includes(own.agentType) &&
    !fullNames(load, 'account').includes(own.account)
  );
}

async function leftBehind(
  db: Reader,
  claimer: Claimer,
  { running, now }: { readonly running: ReadonlyArray<Job>; readonly now: number },
): Promise<ReadonlyArray<Job>> {
  const orphans = running.filter((job) => isOrphan(job, now) || claimer.farLeases?.isNobodys(job, now) === true);
  if (orphans.length === 0) return [];
  const paused = new Set((await listLanes(db)).filter((lane) => lane.isPaused).map(({ projectId }) => projectId));
  const fitting: Job[] = [];
  for (const job of orphans) {
    const [start] = await findRunsToStart(db, [job.runId]);
    if (!isAccepted(claimer, start?.run ?? null)) continue;
    if (start !== undefined && (await heldForNewer(db, start)) !== null) continue;
    const labels = await labelsOf(db, job.id);
    if (!paused.has(job.projectId) && labels.every((label) => claimer.labels?.includes(label) === true))
      fitting.push(job);
  }
  return fitting;
}

/** A dead process on this machine is seen at once; on another machine only the lease tells. */
function isOrphan(job: Job, now: number): boolean {
  const owner = job.owner === null ? 'dead' : ownerState(job.owner);
  return owner === 'dead' || (job.leaseUntil ?? 0) < now;
}

async function hasCandidate(db: Reader, claimer: Claimer, seen: Surroundings): Promise<boolean> {
  for (const lane of seen.lanes)
    if ((await candidates(db, claimer, { ...seen, lane, offset: 0 })).length > 0) return true;
  return false;
}

type Found = { readonly claims: ReadonlyArray<Claim>; readonly isChanged: boolean; readonly blocked: boolean };

/** Abandoned runs already count as running: no cap applies. */
async function takeOver({ tx, claimer, seen, room }: Taking): Promise<Found> {
  const poisoned = seen.left.filter(isPoison);
  for (const job of poisoned) await giveUp(tx, job, claimer.defaultAgentType ?? job.agentType);
  const sound = seen.left.filter((job) => !isPoison(job));
  const claims: Claim[] = [];
  for (let at = 0; at < sound.length && claims.length < room;) {
    const wanted = sound.slice(at, at + room - claims.length);
    claims.push(...(await takeJobs(tx, wanted, { owner: claimer.owner, leaseUntil: seen.leaseUntil })));
    at += wanted.length;
  }
  return { claims, isChanged: poisoned.length + claims.length > 0, blocked: false };
}

async function takeWaiting(taking: Taking, before: Found): Promise<Found> {
  const { tx, claimer, seen, room } = taking;
  const claims = [...before.claims];
  let { isChanged, blocked } = before;
  let turns: Turns = { running: seen.running, lanes: seen.lanes };
  const served = new Set<string>();
  // Gates are asked once for each job: another claim would not change the answer.
  const held: Held = { jobs: new Set(), chosen: new Set(), accounts: new Set(), next: new Map(), runs: new Map() };
  for (let isOver = false; !isOver && claims.length < room;) {
    const most = Math.min(room - claims.length, PAGE);
    const found = await chooseWaiting(taking, { turns, held, most });
    const taken = await takeJobs(tx, found.jobs, { owner: claimer.owner, leaseUntil: seen.leaseUntil });
    claims.push(...taken);
    isChanged ||= found.isChanged || taken.length > 0;
    for (const job of found.jobs) {
      if (taken.some(({ jobId }) => jobId === job.id)) {
        turns = withTurn(turns, job);
        // The last one is at the end.
        served.delete(job.projectId);
        served.add(job.projectId);
      } else held.jobs.add(job.id);
    }
    isOver = found.jobs.length < most;
  }
  for (const projectId of served) await markServed(tx, projectId);
  blocked ||= held.jobs.size > 0;
  return { claims, isChanged, blocked };
}
