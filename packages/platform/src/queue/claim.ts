import {
  ABOUT_QUEUE,
  type AgentRun,
  type Claim,
  findRun,
  findRuns,
  type Job,
  labelsOf,
  type Lane,
  listCandidates,
  listLanes,
  listRunningJobs,
  listWaitingLanes,
  markServed,
  ownerState,
  type Reader,
  readLimits,
  setBlocked,
  type StartBlock,
  type StartGate,
  type Store,
  takeJob,
  transactionNow,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { fullNames, type Load, orderLanes } from './fair-order.ts';
import { giveUp, isPoison } from './poison.ts';

/** How long a silent worker keeps its jobs. */
export const LEASE_MS = 15_000;

/** A worker that asks for work: its name for the lease, its labels, and the gates that must agree before a run starts. */
export type Claimer = {
  readonly owner: string;
  readonly labels?: ReadonlyArray<string>;
  readonly gates?: ReadonlyArray<StartGate>;
  /** Which runs this worker may take; it ignores the rest. Absent: all. */
  readonly accepts?: (run: AgentRun) => boolean;
  readonly leaseMs?: number;
  /** For the pipelines of tasks whose run is given up. */
  readonly defaultAgentType?: string;
};

/** `blocked`: there is more work, held back only by gates. */
export type ClaimAnswer = { readonly claims: ReadonlyArray<Claim>; readonly blocked: boolean };

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
    return await store.transact(async (tx) => {
      const seen = await lookAround(tx, claimer, { now: transactionNow(tx), at: transactionTime(tx) });
      const taking = { tx, claimer, seen, room };
      const found = await takeWaiting(taking, await takeOver(taking));
      if (!found.isChanged) throw new Unchanged(found.blocked);
      return { claims: found.claims, blocked: found.blocked };
    }, ABOUT_QUEUE);
  } catch (error) {
    if (error instanceof Unchanged) return { claims: [], blocked: error.blocked };
    throw error;
  }
}

export async function claimJob(store: Store, claimer: Claimer): Promise<Claim | null> {
  return (await claimNext(store, claimer, { room: 1, expectsWork: false })).claims[0] ?? null;
}

async function seesWork(store: Store, claimer: Claimer): Promise<boolean> {
  const now = await store.now();
  const glance = await lookAround(store.read, claimer, { now, at: sharedTime(store, now) });
  return glance.left.length > 0 || hasCandidate(store.read, claimer, glance);
}

const NOTHING: ClaimAnswer = { claims: [], blocked: false };

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
    running: atWork(running),
    limits,
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
  const orphans = running.filter((job) => isOrphan(job, now));
  if (orphans.length === 0) return [];
  const paused = new Set((await listLanes(db)).filter((lane) => lane.isPaused).map(({ projectId }) => projectId));
  const fitting: Job[] = [];
  for (const job of orphans) {
    if (!isAccepted(claimer, await findRun(db, job.runId))) continue;
    const labels = await labelsOf(db, job.id);
    if (!paused.has(job.projectId) && labels.every((label) => claimer.labels?.includes(label) === true))
      fitting.push(job);
  }
  return fitting;
}

function isAccepted({ accepts }: Claimer, run: AgentRun | null): boolean {
  return accepts === undefined || (run !== null && accepts(run));
}

/** A dead process on this machine is seen at once; on another machine only the lease tells. */
function isOrphan(job: Job, now: number): boolean {
  const owner = job.owner === null ? 'dead' : ownerState(job.owner);
  return owner === 'dead' || (job.leaseUntil ?? 0) < now;
}

const PAGE = 16;
/** How many pages of blocked jobs of one project are skipped in one claim. */
const MOST_PAGES = 12;

type Looked = Surroundings & {
  readonly lane: Lane;
  readonly offset: number;
  /** Accounts that are known to be held back. */
  readonly heldAccounts?: ReadonlySet<string>;
};

function candidates(db: Reader, claimer: Claimer, on: Looked) {
  return listCandidates(db, {
    projectId: on.lane.projectId,
    at: on.at,
    fullAgents: fullNames(on, 'agent'),
    fullAccounts: [...fullNames(on, 'account'), ...(on.heldAccounts ?? [])],
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

type Taking = {
  readonly tx: Tx;
  readonly claimer: Claimer;
  readonly seen: Surroundings;
  readonly room: number;
};

type Found = { readonly claims: ReadonlyArray<Claim>; readonly isChanged: boolean; readonly blocked: boolean };

/** Abandoned runs already count as running: no cap applies. */
async function takeOver({ tx, claimer, seen, room }: Taking): Promise<Found> {
  const claims: Claim[] = [];
  let isChanged = false;
  for (const job of seen.left) {
    if (claims.length === room) break;
    if (isPoison(job)) {
      isChanged = true;
      await giveUp(tx, job, claimer.defaultAgentType ?? job.agentType);
      continue;
    }
    const claim = await takeJob(tx, job, { owner: claimer.owner, leaseUntil: seen.leaseUntil });
    if (claim === null) continue;
    isChanged = true;
    claims.push(claim);
  }
  return { claims, isChanged, blocked: false };
}

async function takeWaiting(taking: Taking, before: Found): Promise<Found> {
  const { tx, claimer, seen, room } = taking;
  const claims = [...before.claims];
  let { isChanged, blocked } = before;
  let { running, lanes } = seen;
  // Gates are asked once for each job: another claim would not change the answer.
  const held: Held = { jobs: new Set(), accounts: new Set(), next: new Map(), runs: new Map() };
  // In the order in which each had its last turn.
  const served = new Set<string>();
  while (claims.length < room) {
    const next = await nextFree({ ...taking, seen: { ...seen, running, lanes: orderLanes(lanes, running) } }, held);
    isChanged ||= next.isChanged;
    if (next.job === null) break;
    const { job } = next;
    const claim = await takeJob(tx, job, { owner: claimer.owner, leaseUntil: seen.leaseUntil });
    if (claim === null) {
      held.jobs.add(job.id);
      continue;
    }
    claims.push(claim);
    served.delete(job.projectId);
    served.add(job.projectId);
    isChanged = true;
    running = [...running, job];
    const last = Math.max(...lanes.map((lane) => lane.served)) + 1;
    lanes = lanes.map((lane) => (lane.projectId === job.projectId ? { ...lane, served: last } : lane));
  }
  for (const projectId of served) await markServed(tx, projectId);
  blocked ||= held.jobs.size > 0;
  return { claims, isChanged, blocked };
}

type Next = { readonly job: Job | null; readonly isChanged: boolean };

/** What this claim knows by now. */
type Held = {
  /** What the gates held back. An account that its provider limits is held back as a whole: it is asked about once. */
  readonly jobs: Set<string>;
  readonly accounts: Set<string>;
  /** By project: what stood behind the job that was taken last. */
  readonly next: Map<string, ReadonlyArray<Job>>;
  readonly runs: Map<string, AgentRun>;
};

async function nextFree(taking: Taking, held: Held): Promise<Next> {
  let isChanged = false;
  for (const lane of taking.seen.lanes) {
    const behind = await firstFree(taking, held, stillAllowed(taking.seen, held.next.get(lane.projectId) ?? []));
    isChanged ||= behind.isChanged;
    if (behind.job !== null) return { job: behind.job, isChanged };
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const known = held.accounts.size;
      const looked = { ...taking.seen, lane, offset: page * PAGE, heldAccounts: held.accounts };
      const jobs = await candidates(taking.tx, taking.claimer, looked);
      const found = await firstFree(taking, held, jobs);
      isChanged ||= found.isChanged;
      if (found.job !== null) return { job: found.job, isChanged };
      // Without the jobs of that account, others have moved up.
      if (held.accounts.size > known) page = -1;
      else if (jobs.length < PAGE) break;
    }
  }
  return { job: null, isChanged };
}

/** What was taken meanwhile may have filled a cap. */
function stillAllowed(seen: Surroundings, jobs: ReadonlyArray<Job>): ReadonlyArray<Job> {
  const [agents, accounts] = [fullNames(seen, 'agent'), fullNames(seen, 'account')];
  return jobs.filter(({ agentType, account }) => !agents.includes(agentType) && !accounts.includes(account));
}

async function firstFree({ tx, claimer, room }: Taking, held: Held, jobs: ReadonlyArray<Job>): Promise<Next> {
  let isChanged = false;
  const wanted = jobs.slice(0, room).flatMap(({ runId }) => (held.runs.has(runId) ? [] : [runId]));
  for (const run of await findRuns(tx, wanted)) held.runs.set(run.id, run);
  for (const [at, job] of jobs.entries()) {
    if (held.jobs.has(job.id) || held.accounts.has(job.account)) continue;
    const answer = await tryJob(tx, claimer, { job, run: held.runs.get(job.runId) ?? (await findRun(tx, job.runId)) });
    if (answer === 'free') {
      held.next.set(job.projectId, jobs.slice(at + 1));
      return { job, isChanged };
    }
    if (answer === 'not_ours') continue;
    if (answer === 'given_up') isChanged = true;
    else {
      held.jobs.add(job.id);
      if (answer.code === 'provider_limit' && job.account !== '') held.accounts.add(job.account);
      isChanged = (await setBlocked(tx, job, answer)) || isChanged;
    }
  }
  return { job: null, isChanged };
}

type Tried = { readonly job: Job; readonly run: AgentRun | null };

async function tryJob(
  tx: Tx,
  claimer: Claimer,
  { job, run }: Tried,
): Promise<'free' | 'given_up' | 'not_ours' | StartBlock> {
  if (!isAccepted(claimer, run)) return 'not_ours';
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
