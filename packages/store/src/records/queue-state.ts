import { sql } from 'kysely';
import { parseJson } from '../database/json.ts';
import { listProviderLimits, type ProviderLimit } from './provider-limits.ts';
import type { StartBlock } from './claims.ts';
import { listLanes, type QueueLimit, readLimits } from './queue-lanes.ts';
import type { Reader } from '../database/store.ts';
import type { Priority } from '../types/task.ts';

/**
 * A run's place in the queue. A run is `running` from its start to its end; its job shows whether a worker has it: `queued` means that it
 * waits for a worker, at its start or after its process was shut down, and `blocked` or `notBefore` say for what. `waiting`: the run waits
 * for a person, as `blocked` says, and takes no worker's place.
 */
export type QueuedJob = {
  readonly jobId: string;
  readonly runId: string;
  /** Of the run. */
  readonly key: string;
  readonly taskId: string;
  readonly projectId: string;
  readonly state: 'queued' | 'running' | 'waiting';
  readonly priority: Priority;
  readonly agentType: string;
  readonly account: string;
  readonly labels: ReadonlyArray<string>;
  /** Claims since the run last made progress. */
  readonly attempts: number;
  readonly notBefore: string | null;
  readonly blocked: StartBlock | null;
  /** The process that has it: host and pid if they are known. */
  readonly owner: string | null;
  readonly createdAt: string;
};

export type QueueLaneState = {
  readonly projectId: string;
  readonly isPaused: boolean;
  readonly maxRunning: number | null;
  readonly running: number;
  readonly queued: number;
  /** Runs that wait for a person. */
  readonly waiting: number;
};

export type QueueState = {
  readonly isPaused: boolean;
  readonly running: number;
  readonly queued: number;
  /** Runs that wait for a person. */
  readonly waiting: number;
  readonly lanes: ReadonlyArray<QueueLaneState>;
  readonly limits: ReadonlyArray<QueueLimit>;
  /** Running jobs, then queued ones in the order of each project, then those that wait for a person; at most `limit`. */
  readonly jobs: ReadonlyArray<QueuedJob>;
};

export async function readQueueState(
  db: Reader,
  filter: { readonly projectId?: string; readonly limit?: number },
): Promise<QueueState> {
  const counts = await countJobs(db);
  const { isPaused, limits } = await readLimits(db);
  const of = (projectId: string, state: string): number => counts.get(`${projectId} ${state}`) ?? 0;
  const lanes = (await listLanes(db))
    .filter(({ projectId }) => filter.projectId === undefined || projectId === filter.projectId)
    .map(({ projectId, isPaused: isLanePaused, maxRunning }) => ({
      projectId,
      isPaused: isLanePaused,
      maxRunning,
      running: of(projectId, 'running'),
      queued: of(projectId, 'queued'),
      waiting: of(projectId, 'waiting'),
    }));
  return {
    isPaused,
    running: lanes.reduce((sum, lane) => sum + lane.running, 0),
    queued: lanes.reduce((sum, lane) => sum + lane.queued, 0),
    waiting: lanes.reduce((sum, lane) => sum + lane.waiting, 0),
    lanes,
    limits,
    jobs: filter.limit === 0 ? [] : await listJobs(db, filter),
  };
}

/** A job whose worker has it, but whose run waits for a person, shows as what it is. */
const shownState = sql<
  QueuedJob['state']
>`case when jobs.state = 'running' and jobs.blocked is not null then 'waiting' else jobs.state end`;

async function countJobs(db: Reader): Promise<ReadonlyMap<string, number>> {
  // An index has these two: jobs that wait, of which there may be many, are counted without being read.
  const resting = await db
    .selectFrom('jobs')
    .select(['project_id', 'state as shown', ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', 'in', ['queued', 'waiting'])
    .groupBy(['project_id', 'state'])
    .execute();
  const taken = await db
    .selectFrom('jobs')
    .select(['project_id', shownState.as('shown'), ({ fn }) => fn.countAll<number>().as('count')])
    .where('state', '=', 'running')
    .groupBy(['project_id', 'shown'])
    .execute();
  const counts = new Map<string, number>();
  for (const { project_id, shown, count } of [...resting, ...taken]) {
    const key = `${project_id} ${shown}`;
    counts.set(key, (counts.get(key) ?? 0) + count);
  }
  return counts;
}

/**
 * Which jobs are shown, in their order. Those that wait, of which there may be many, are taken from an index as they came; a job that its
 * worker still has, though its run waits, comes before them.
 */
async function shownJobs(
  db: Reader,
  { projectId, limit = 100 }: { readonly projectId?: string; readonly limit?: number },
): Promise<ReadonlyArray<string>> {
  const ofState = (state: QueuedJob['state']) =>
    db
      .selectFrom('jobs')
      .select('jobs.id')
      .where('jobs.state', '=', state)
      .$if(projectId !== undefined, (query) => query.where('jobs.project_id', '=', projectId ?? ''));
  const running = await ofState('running').select(shownState.as('shown')).orderBy('place').orderBy('id').execute();
  const queued = await ofState('queued').orderBy('place').orderBy('id').limit(limit).execute();
  const waiting = await ofState('waiting').orderBy('id').limit(limit).execute();
  const of = (shown: QueuedJob['state']) => running.filter((job) => job.shown === shown);
  return [...of('running'), ...queued, ...of('waiting'), ...waiting].slice(0, limit).map(({ id }) => id);
}

async function listJobs(
  db: Reader,
  filter: { readonly projectId?: string; readonly limit?: number },
): Promise<ReadonlyArray<QueuedJob>> {
  const shown = await shownJobs(db, filter);
  if (shown.length === 0) return [];
  const found = await db
    .selectFrom('jobs')
    .innerJoin('runs', 'runs.id', 'jobs.run_id')
    .innerJoin('tasks', 'tasks.id', 'runs.task_id')
    .selectAll('jobs')
    .select(['runs.task_id', 'runs.key', 'tasks.priority', shownState.as('shown')])
    .where('jobs.id', 'in', shown)
    .execute();
  const places = new Map(shown.map((id, place) => [id, place]));
  const rows = found.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0));
  const limits = await listProviderLimits(db, new Date().toISOString());
  const labels = await labelsByJob(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    jobId: row.id,
    runId: row.run_id,
    key: row.key,
    taskId: row.task_id,
    projectId: row.project_id,
    state: row.shown,
    priority: row.priority,
    agentType: row.agent_type,
    account: row.account,
    labels: labels.get(row.id) ?? [],
    attempts: row.attempts,
    notBefore: row.not_before,
    blocked: parseJson<StartBlock | null>(row.blocked, null) ?? limitOf(row, limits),
    owner: row.owner,
    createdAt: row.created_at,
  }));
}

/** One job of a limited account was asked about when work was claimed; it holds back the others as well. */
function limitOf(
  { shown, account, agent_type: agentType }: { shown: string; account: string; agent_type: string },
  limits: ReadonlyArray<ProviderLimit>,
): StartBlock | null {
  const limit = limits.find((one) => one.account === (account === '' ? agentType : account));
  if (limit === undefined || shown !== 'queued') return null;
  return { code: 'provider_limit', message: `${limit.account}: ${limit.reason}`, until: limit.until };
}

async function labelsByJob(
  db: Reader,
  jobIds: ReadonlyArray<string>,
): Promise<ReadonlyMap<string, ReadonlyArray<string>>> {
  const labels = new Map<string, ReadonlyArray<string>>();
  if (jobIds.length === 0) return labels;
  const rows = await db.selectFrom('job_labels').selectAll().where('job_id', 'in', jobIds).orderBy('label').execute();
  for (const { job_id, label } of rows) labels.set(job_id, [...(labels.get(job_id) ?? []), label]);
  return labels;
}
