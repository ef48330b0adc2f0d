import { sql } from 'kysely';
import type { AgentRunMode, AgentRunStatus, EffectWork, Prompt, RunStep, Split, Task } from '../types/index.ts';
import { parseJson } from '../database/json.ts';
import type { ArtifactRow, OutboxRow } from '../database/schema.ts';
import type { Reader } from '../database/store.ts';
import type { StartBlock } from './claims.ts';
import type { RetryNote } from './runs.ts';
import { promptOf } from './prompts.ts';
import { splitOf } from './splits.ts';
import { taskOf } from './tasks.ts';

/** What belongs to many tasks at once: each function is one query for every so many ids. */
type Ids = ReadonlyArray<string>;

/** Databases bound the number of values of a query. */
const AT_ONCE = 500;

async function inParts<Row>(ids: Ids, read: (part: Ids) => Promise<ReadonlyArray<Row>>): Promise<ReadonlyArray<Row>> {
  const rows: Row[] = [];
  for (let from = 0; from < ids.length; from += AT_ONCE) rows.push(...(await read(ids.slice(from, from + AT_ONCE))));
  return rows;
}

/** In the order of the ids; unknown ones are left out. */
export async function tasksOfIds(db: Reader, ids: Ids): Promise<ReadonlyArray<Task>> {
  const rows = await inParts(ids, (part) => db.selectFrom('tasks').selectAll().where('id', 'in', part).execute());
  const known = new Map(rows.map((row) => [row.id, taskOf(row)]));
  return ids.flatMap((id) => known.get(id) ?? []);
}

export type RunSummary = {
  readonly id: string;
  readonly key: string;
  readonly taskId: string;
  readonly mode: AgentRunMode;
  readonly status: AgentRunStatus;
  readonly outcome: string | null;
  readonly error: string | null;
  readonly agentType: string;
  readonly branch: string | null;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly isStopping: boolean;
};

/** The newest run of each task; of attempts one that is running. */
export async function newestRuns(db: Reader, taskIds: Ids): Promise<ReadonlyMap<string, RunSummary>> {
  const rows = await inParts(taskIds, (part) =>
    db
      .selectFrom('runs')
      .select(['id', 'task_id', 'mode', 'status', 'outcome', 'error', 'agent_type', 'branch'])
      .select(['key', 'started_at', 'finished_at', 'cancel_requested'])
      .where('task_id', 'in', part)
      .orderBy('id')
      .execute(),
  );
  const newest = new Map<string, RunSummary>();
  for (const row of rows) {
    if (newest.get(row.task_id)?.status === 'running' && row.status !== 'running') continue;
    newest.set(row.task_id, {
      id: row.id,
      key: row.key,
      taskId: row.task_id,
      mode: row.mode,
      status: row.status,
      outcome: row.outcome,
      error: row.error,
      agentType: row.agent_type,
      branch: row.branch,
      startedAt: row.started_at,
      finishedAt: row.finished_at,
      isStopping: row.cancel_requested === 1,
    });
  }
  return newest;
}

/** The steps that each run has finished. */
export async function finishedSteps(db: Reader, runIds: Ids): Promise<ReadonlyMap<string, ReadonlySet<RunStep>>> {
  const rows = await inParts(runIds, (part) =>
    db.selectFrom('run_steps').select(['run_id', 'step']).where('run_id', 'in', part).execute(),
  );
  const steps = new Map<string, Set<RunStep>>();
  for (const { run_id, step } of rows) steps.set(run_id, (steps.get(run_id) ?? new Set()).add(step));
  return steps;
}

type OpenJob = {
  readonly runId: string;
  readonly state: 'queued' | 'running' | 'waiting';
  readonly account: string;
  readonly notBefore: string | null;
  /** What the machine that takes it has to have. */
  readonly labels: ReadonlyArray<string>;
  readonly blocked: StartBlock | null;
  /** Of a run that tries again what an earlier one could not do. */
  readonly retry: RetryNote | null;
};

const labelsOfJob = sql<
  string | null
>`(select string_agg(label, ',' order by label) from job_labels where job_id = jobs.id)`;

/** The job of each run that has one still to do. */
export async function openJobs(db: Reader, runIds: Ids): Promise<ReadonlyMap<string, OpenJob>> {
  const rows = await inParts(runIds, (part) =>
    db
      .selectFrom('jobs')
      .innerJoin('runs', 'runs.id', 'jobs.run_id')
      .select(['jobs.run_id', 'jobs.state', 'jobs.account', 'jobs.not_before', 'jobs.blocked', 'runs.retry'])
      .select(labelsOfJob.as('labels'))
      .where('jobs.run_id', 'in', part)
      .execute(),
  );
  return new Map(
    rows.flatMap(({ state, ...row }) =>
      state === 'done'
        ? []
        : [
            [
              row.run_id,
              {
                runId: row.run_id,
                state,
                account: row.account,
                notBefore: row.not_before,
                labels: row.labels?.split(',') ?? [],
                blocked: parseJson<StartBlock | null>(row.blocked, null),
                retry: parseJson<RetryNote | null>(row.retry, null),
              },
            ] as const,
          ],
    ),
  );
}

/** Unanswered questions of each task, oldest first. */
export async function openPrompts(db: Reader, taskIds: Ids): Promise<ReadonlyMap<string, ReadonlyArray<Prompt>>> {
  const rows = await inParts(taskIds, (part) =>
    db
      .selectFrom('prompts')
      .selectAll()
      .where('task_id', 'in', part)
      .where('status', '=', 'pending')
      .orderBy('id')
      .execute(),
  );
  const prompts = new Map<string, Prompt[]>();
  for (const row of rows) prompts.set(row.task_id, [...(prompts.get(row.task_id) ?? []), promptOf(row)]);
  return prompts;
}

export type LastMove = { readonly at: string; readonly trigger: string; readonly from: string };

/** How each task came into its status. */
export async function lastMoves(db: Reader, taskIds: Ids): Promise<ReadonlyMap<string, LastMove>> {
  const rows = await inParts(taskIds, (part) =>
    db
      .selectFrom('transition_history')
      .select(['task_id', 'at', 'trigger', 'from_status'])
      .where('id', 'in', (sub) =>
        sub
          .selectFrom('transition_history')
          .select(({ fn }) => fn.max<number>('id').as('id'))
          .where('task_id', 'in', part)
          .groupBy('task_id'),
      )
      .execute(),
  );
  return new Map(rows.map(({ task_id, at, trigger, from_status }) => [task_id, { at, trigger, from: from_status }]));
}

type WorkArtifact = Pick<ArtifactRow, 'type' | 'label'> & { readonly metadata: Readonly<Record<string, unknown>> };

/** Branches and pull requests of each task as a whole, oldest first. */
export async function workArtifacts(
  db: Reader,
  taskIds: Ids,
): Promise<ReadonlyMap<string, ReadonlyArray<WorkArtifact>>> {
  const rows = await inParts(taskIds, (part) =>
    db
      .selectFrom('artifacts')
      .select(['task_id', 'type', 'label', 'metadata'])
      .where('task_id', 'in', part)
      .where('type', 'in', ['branch', 'pull_request'])
      .where('phase_id', 'is', null)
      .orderBy('id')
      .execute(),
  );
  const artifacts = new Map<string, WorkArtifact[]>();
  for (const { task_id, type, label, metadata } of rows) {
    const own = { type, label, metadata: parseJson<Readonly<Record<string, unknown>>>(metadata, {}) };
    artifacts.set(task_id, [...(artifacts.get(task_id) ?? []), own]);
  }
  return artifacts;
}

/** How an effect of a task stands. */
export type LastEffect = {
  readonly runId: string | null;
  readonly state: OutboxRow['state'];
  readonly error: string | null;
  /** What is known of a failure besides its words. */
  readonly detail: Readonly<Record<string, unknown>>;
};

/** How the last effect of a kind stands for each task, if one was decided. */
export async function lastEffects(
  db: Reader,
  kind: EffectWork['kind'],
  taskIds: Ids,
): Promise<ReadonlyMap<string, LastEffect>> {
  const rows = await inParts(taskIds, (part) =>
    db
      .selectFrom('outbox')
      .select(['task_id', 'run_id', 'state', 'error', 'result'])
      .where('task_id', 'in', part)
      .where('kind', '=', kind)
      .orderBy('seq')
      .execute(),
  );
  return new Map(
    rows.map(({ task_id, run_id, state, error, result }) => {
      const detail = parseJson<Readonly<Record<string, unknown>>>(result ?? '', {});
      return [task_id, { runId: run_id, state, error, detail }];
    }),
  );
}

/** The tasks that depend on others. */
export async function dependentTasks(db: Reader, taskIds: Ids): Promise<ReadonlySet<string>> {
  const rows = await inParts(taskIds, (part) =>
    db.selectFrom('task_dependencies').select('task_id').distinct().where('task_id', 'in', part).execute(),
  );
  return new Set(rows.map(({ task_id }) => task_id));
}

/** What each task that was split waits for. */
export async function openSplits(db: Reader, taskIds: Ids): Promise<ReadonlyArray<Split>> {
  const rows = await inParts(taskIds, (part) =>
    db
      .selectFrom('task_splits')
      .selectAll()
      .where('task_id', 'in', part)
      .where('settled_at', 'is', null)
      .orderBy('id')
      .execute(),
  );
  return rows.map(splitOf);
}
