import {
  type AgentRun,
  findRunsToStart,
  type Job,
  type Lane,
  listCandidates,
  type Reader,
  type RunToStart,
  setBlocked,
  type StartBlock,
  type StartGate,
  type Tx,
} from '@attractor/store';
import type { FarLeases } from './far-leases.ts';
import { fullNames, type Load, orderLanes } from './fair-order.ts';
import { heldForNewer } from '@attractor/pipeline';
import { giveUp, isPoison } from './poison.ts';

/** A worker that asks for work: its name for the lease, its labels, and the gates that must agree before a run starts. */
export type Claimer = {
  readonly owner: string;
  readonly labels?: ReadonlyArray<string>;
  readonly gates?: ReadonlyArray<StartGate>;
  /** Which runs this worker may take; it ignores the rest. Absent: all. */
  readonly accepts?: (run: AgentRun) => boolean;
  readonly leaseMs?: number;
  /** Absent: a lease counts as it is written. */
  readonly farLeases?: FarLeases;
  /** For the pipelines of tasks whose run is given up. */
  readonly defaultAgentType?: string;
};

/** What a claim is based on. */
export type Surroundings = Load & {
  readonly at: string;
  readonly leaseUntil: number;
  /** Running jobs that nobody works on. */
  readonly left: ReadonlyArray<Job>;
  /** Projects with room, in their order. */
  readonly lanes: ReadonlyArray<Lane>;
};

export function isAccepted({ accepts }: Claimer, run: AgentRun | null): boolean {
  return accepts === undefined || (run !== null && accepts(run));
}

/** As many are looked at, and chosen, at a time. */
export const PAGE = 16;
/** How many pages of blocked jobs of one project are skipped in one claim. */
const MOST_PAGES = 12;

type Looked = Surroundings & {
  readonly lane: Lane;
  readonly offset: number;
  /** Accounts that are known to be held back. */
  readonly heldAccounts?: ReadonlySet<string>;
};

export function candidates(db: Reader, claimer: Claimer, on: Looked) {
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

export type Taking = {
  readonly tx: Tx;
  readonly claimer: Claimer;
  readonly seen: Surroundings;
  readonly room: number;
};

/** Who had a turn in this claim: what counts as running, and the order of the projects. */
export type Turns = Pick<Surroundings, 'running' | 'lanes'>;
type Choice = { readonly turns: Turns; readonly held: Held; readonly most: number };
type Chosen = { readonly jobs: ReadonlyArray<Job>; readonly isChanged: boolean };

/** Each is chosen as if those before it were running already. */
export async function chooseWaiting(taking: Taking, { turns, held, most }: Choice): Promise<Chosen> {
  const jobs: Job[] = [];
  let now = turns;
  let isChanged = false;
  while (jobs.length < most) {
    const seen = { ...taking.seen, running: now.running, lanes: orderLanes(now.lanes, now.running) };
    const next = await nextFree({ ...taking, seen }, held);
    isChanged ||= next.isChanged;
    if (next.job === null) break;
    jobs.push(next.job);
    held.chosen.add(next.job.id);
    now = withTurn(now, next.job);
  }
  return { jobs, isChanged };
}

/** As it is once the job is running. */
export function withTurn({ running, lanes }: Turns, job: Job): Turns {
  const last = Math.max(...lanes.map((lane) => lane.served)) + 1;
  const served = lanes.map((lane) => (lane.projectId === job.projectId ? { ...lane, served: last } : lane));
  return { running: [...running, job], lanes: served };
}

type Next = { readonly job: Job | null; readonly isChanged: boolean };

/** What this claim knows by now. */
export type Held = {
  /** What the gates held back. An account that its provider limits is held back as a whole: it is asked about once. */
  readonly jobs: Set<string>;
  readonly chosen: Set<string>;
  readonly accounts: Set<string>;
  /** By project: what stood behind the job that was taken last. */
  readonly next: Map<string, ReadonlyArray<Job>>;
  readonly runs: Map<string, RunToStart>;
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
  for (const [at, job] of jobs.entries()) {
    if (held.jobs.has(job.id) || held.chosen.has(job.id) || held.accounts.has(job.account)) continue;
    if (!held.runs.has(job.runId)) await readRuns(tx, held, jobs.slice(at, at + room));
    const answer = await tryJob(tx, claimer, { job, start: held.runs.get(job.runId) ?? null });
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

/** Of those that come next as well: they are most likely asked about, too. */
async function readRuns(tx: Tx, held: Held, jobs: ReadonlyArray<Job>): Promise<void> {
  const runs = await findRunsToStart(
    tx,
    jobs.map(({ runId }) => runId),
  );
  for (const start of runs) held.runs.set(start.run.id, start);
}

type Tried = { readonly job: Job; readonly start: RunToStart | null };

async function tryJob(
  tx: Tx,
  claimer: Claimer,
  { job, start }: Tried,
): Promise<'free' | 'given_up' | 'not_ours' | StartBlock> {
  if (!isAccepted(claimer, start?.run ?? null)) return 'not_ours';
  if (isPoison(job) || start === null) {
    await giveUp(tx, job, claimer.defaultAgentType ?? job.agentType);
    return 'given_up';
  }
  const newer = await heldForNewer(tx, start);
  if (newer !== null) return newer;
  for (const gate of claimer.gates ?? []) {
    const block = await gate(tx, start.run);
    if (block !== null) return block;
  }
  return 'free';
}
