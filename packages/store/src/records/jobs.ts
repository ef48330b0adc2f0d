import { newId } from '@attractor/base/id';
import type { Priority, ProjectSettings } from '../types/index.ts';
import type { RunOverrides } from '../types/run-overrides.ts';
import { parseJson } from '../database/json.ts';
import type { JobRow } from '../database/queue-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { alsoAbout, hasOthersBeside } from '../database/held-subjects.ts';
import { aboutLane } from '../database/subjects.ts';
import { addTicket } from '../database/tickets.ts';
import { transactionTime } from '../database/transaction-time.ts';
import type { AgentRun } from '../types/run.ts';
import type { Claim, StartBlock } from './claims.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/**
 * Called in the transaction that would claim the run's job, for each candidate and again whenever there is room: the claim is based on what
 * it reads. A block leaves the job queued with its reason visible. A gate that writes (a reservation) does so only when it returns null,
 * and comes last in the list: its write is then committed or rolled back with the claim. Not called for a run that lost its worker.
 */
export type StartGate = (tx: Tx, run: AgentRun) => Promise<StartBlock | null>;

/**
 * Work to be done: at most one job for each run. `queued` → `running` → `done`; a released or orphaned one is claimed again. `waiting`: the
 * run waits for a person's answer, and nobody works on it; closing its prompt puts it back into the queue.
 */
export type Job = {
  readonly id: string;
  readonly runId: string;
  readonly state: 'queued' | 'running' | 'waiting' | 'done';
  readonly owner: string | null;
  readonly fence: number;
  readonly leaseUntil: number | null;
  readonly attempts: number;
  readonly projectId: string;
  readonly agentType: string;
  /** The account whose limit the run counts against. */
  readonly account: string;
  /** ISO time before which nobody takes it. */
  readonly notBefore: string | null;
  /** What held it up when it was last checked. Of a running job: what its run waits for, without taking anyone's place. */
  readonly blocked: StartBlock | null;
};

export type PutOptions = {
  /** ISO time before which nobody takes the job. */
  readonly notBefore?: string;
  /** Absent: the task's. */
  readonly priority?: Priority;
};

/** Puts the run's job, in the transaction that decided it. */
export async function putJob(tx: Tx, runId: string, options: PutOptions = {}): Promise<void> {
  const wanted = await readDemand(tx, runId);
  const number = await nextNumber(tx, wanted.projectId);
  const id = newId('job');
  await tx
    .insertInto('jobs')
    .values({
      id,
      run_id: runId,
      state: 'queued',
      owner: null,
      fence: 0,
      lease_until: null,
      attempts: 0,
      created_at: transactionTime(tx),
      project_id: wanted.projectId,
      agent_type: wanted.agentType,
      account: wanted.account,
      number,
      place: number - HEAD_START[options.priority ?? wanted.priority],
      not_before: options.notBefore ?? null,
      blocked: null,
    })
    .execute();
  for (const label of wanted.labels) await tx.insertInto('job_labels').values({ job_id: id, label }).execute();
  addTicket(tx, { jobId: id, notBefore: options.notBefore ?? null });
}

/** After the run's agent was decided: caps and limits count for the agent that really works. */
export async function countForAgent(tx: Tx, runId: string): Promise<void> {
  const { agentType, account } = await readDemand(tx, runId);
  await tx.updateTable('jobs').set({ agent_type: agentType, account }).where('run_id', '=', runId).execute();
}

/**
 * How many earlier jobs of its project a job may overtake. A job is overtaken by at most this many later ones: urgent work goes first and
 * nothing waits forever.
 */
export const HEAD_START: Readonly<Record<Priority, number>> = { critical: 400, high: 200, medium: 100, low: 0 };

/** A task whose priority changed moves within its project, as if it had been put with the new one. */
export async function reprioritise(tx: Tx, taskId: string, priority: Priority): Promise<void> {
  await tx
    .updateTable('jobs')
    .set(({ eb }) => ({ place: eb('number', '-', HEAD_START[priority]) }))
    .where('state', 'in', ['queued', 'waiting'])
    .where('run_id', 'in', (runs) => runs.selectFrom('runs').select('id').where('task_id', '=', taskId))
    .execute();
}

type Demand = {
  readonly projectId: string;
  readonly agentType: string;
  readonly account: string;
  readonly labels: ReadonlySet<string>;
  readonly priority: Priority;
};

async function readDemand(tx: Tx, runId: string): Promise<Demand> {
  const row = await tx
    .selectFrom('runs')
    .innerJoin('tasks', 'tasks.id', 'runs.task_id')
    .innerJoin('projects', 'projects.id', 'runs.project_id')
    .select(['runs.project_id', 'runs.agent_type', 'runs.overrides', 'tasks.priority', 'projects.config'])
    .where('runs.id', '=', runId)
    .executeTakeFirst();
  const overrides = parseJson<RunOverrides>(row?.overrides ?? null, {});
  const settings = parseJson<ProjectSettings>(row?.config ?? null, {});
  return {
    projectId: row?.project_id ?? '',
    agentType: row?.agent_type ?? '',
    account: overrides.account ?? settings.account ?? row?.agent_type ?? '',
    labels: new Set(overrides.labels ?? settings.labels ?? []),
    priority: row?.priority ?? 'medium',
  };
}

/** Also makes sure that the project has its lane. */
async function nextNumber(tx: Tx, projectId: string): Promise<number> {
  await alsoAbout(tx, aboutLane(projectId));
  await tx
    .insertInto('queue_lanes')
    .values({ project_id: projectId, paused: 0, served: 0 })
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .execute();
  const row = await tx
    .selectFrom('jobs')
    .select('number')
    .where('project_id', '=', projectId)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.number ?? 0) + 1;
}

export async function listOpenJobs(db: Reader): Promise<ReadonlyArray<Job>> {
  const rows = await db.selectFrom('jobs').selectAll().where('state', '!=', 'done').orderBy('id').execute();
  return rows.map(fromRow);
}

/** What is being worked on, or was when its worker died: as many rows as concurrent runs. */
export async function listRunningJobs(db: Reader): Promise<ReadonlyArray<Job>> {
  return (await runningJobs(db, {})).rows.map(fromRow);
}

const runningJobs = compiledOnce((db) =>
  db.selectFrom('jobs').selectAll().where('state', '=', 'running').orderBy('id'),
);

export type Candidates = {
  readonly projectId: string;
  readonly at: string;
  /** Types and accounts that have no room now. */
  readonly fullAgents: ReadonlyArray<string>;
  readonly fullAccounts: ReadonlyArray<string>;
  readonly labels: ReadonlyArray<string>;
  readonly limit: number;
  readonly offset: number;
};

/** The next jobs of a project in order, limited to those that this worker may take. */
export async function listCandidates(db: Reader, wanted: Candidates): Promise<ReadonlyArray<Job>> {
  return (await candidates(db, wanted)).rows.map(fromRow);
}

const candidates = compiledOnce((db, wanted: Given<Candidates>) =>
  db
    .selectFrom('jobs')
    .selectAll()
    .where('state', '=', 'queued')
    .where('project_id', '=', wanted.projectId)
    .where((job) => job.or([job('not_before', 'is', null), job('not_before', '<=', wanted.at)]))
    .where((job) => {
      const asked = job.selectFrom('job_labels').select('label').whereRef('job_labels.job_id', '=', 'jobs.id');
      return job.not(job.exists(wanted.labels.length === 0 ? asked : asked.where('label', 'not in', wanted.labels)));
    })
    .$if(wanted.fullAgents.length > 0, (query) => query.where('agent_type', 'not in', wanted.fullAgents))
    .$if(wanted.fullAccounts.length > 0, (query) => query.where('account', 'not in', wanted.fullAccounts))
    .orderBy('place')
    .orderBy('id')
    .limit(wanted.limit)
    .offset(wanted.offset),
);

export async function labelsOf(db: Reader, jobId: string): Promise<ReadonlyArray<string>> {
  const rows = await db.selectFrom('job_labels').select('label').where('job_id', '=', jobId).orderBy('label').execute();
  return rows.map(({ label }) => label);
}

/** Records why the job waits; false if that was already known. */
export async function setBlocked(tx: Tx, job: Job, block: StartBlock): Promise<boolean> {
  if (JSON.stringify(block) === JSON.stringify(job.blocked)) return false;
  await tx
    .updateTable('jobs')
    .set({ blocked: JSON.stringify(block) })
    .where('id', '=', job.id)
    .where('state', '=', job.state)
    .execute();
  return true;
}

/** Nobody takes it any more. */
export async function dropJob(tx: Tx, jobId: string): Promise<void> {
  await tx.updateTable('jobs').set({ state: 'done', owner: null, lease_until: null }).where('id', '=', jobId).execute();
}

/** Those that nobody else changes, or just did. */
export async function takeJobs(
  tx: Tx,
  jobs: ReadonlyArray<Job>,
  by: { readonly owner: string; readonly leaseUntil: number },
): Promise<ReadonlyArray<Claim>> {
  if (jobs.length === 0) return [];
  const ids = jobs.map(({ id }) => id);
  const taking = { ...by, ids, states: jobs.map(({ state }) => state), fences: jobs.map(({ fence }) => fence) };
  const { rows } = await (hasOthersBeside(tx) ? takeFree(tx, taking) : takeAsSeen(tx, taking));
  const taken = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = taken.get(id);
    return row === undefined ? [] : { jobId: id, runId: row.run_id, fence: row.fence, attempts: row.attempts };
  });
}

type Taking = Given<{
  owner: string;
  leaseUntil: number;
  ids: ReadonlyArray<string>;
  states: ReadonlyArray<Job['state']>;
  fences: ReadonlyArray<number>;
}>;

const takeAsSeen = compiledOnce((db, taking: Taking) => take(db, taking, asSeen(db, taking)));
/** A frozen worker may hold the row of its job until its connection is given up: nobody waits for that. */
const takeFree = compiledOnce((db, taking: Taking) => take(db, taking, asSeen(db, taking).forUpdate().skipLocked()));

function take(db: Reader, { owner, leaseUntil }: Taking, jobs: ReturnType<typeof asSeen>) {
  return db
    .updateTable('jobs')
    .set(({ eb }) => ({
      state: 'running',
      owner,
      lease_until: leaseUntil,
      fence: eb('fence', '+', 1),
      attempts: eb('attempts', '+', 1),
      blocked: null,
    }))
    .where('id', 'in', jobs)
    .returning(['id', 'run_id', 'fence', 'attempts']);
}

function asSeen(db: Reader, { ids, states, fences }: Taking) {
  return db
    .selectFrom('jobs')
    .select('id')
    .where((row) =>
      row.or(
        ids.map((id, at) => {
          const [state, fence] = [states[at], fences[at]];
          if (state === undefined || fence === undefined) throw new Error('Each job has a state and a fence');
          return row.and([row('id', '=', id), row('state', '=', state), row('fence', '=', fence)]);
        }),
      ),
    );
}

/** Puts the job of a run that waited back into the queue, at its old place. A job that waits for nobody stays as it is. */
export async function wakeJob(tx: Tx, runId: string): Promise<void> {
  const woken = await tx
    .updateTable('jobs')
    .set({ state: 'queued', blocked: null, not_before: null })
    .where('run_id', '=', runId)
    .where('state', '=', 'waiting')
    .returning('id')
    .execute();
  for (const { id } of woken) addTicket(tx, { jobId: id, notBefore: null });
}

/** Removes a job that nobody works on from the queue. */
export async function dropQueuedJob(tx: Tx, runId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('jobs')
    .set({ state: 'done' })
    .where('run_id', '=', runId)
    .where('state', 'in', ['queued', 'waiting'])
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

function fromRow(row: JobRow): Job {
  return {
    id: row.id,
    runId: row.run_id,
    state: row.state,
    owner: row.owner,
    fence: row.fence,
    leaseUntil: row.lease_until,
    attempts: row.attempts,
    projectId: row.project_id,
    agentType: row.agent_type,
    account: row.account,
    notBefore: row.not_before,
    blocked: parseJson<StartBlock | null>(row.blocked, null),
  };
}
