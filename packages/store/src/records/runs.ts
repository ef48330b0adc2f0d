import type { TokenUsage } from '@attractor/adapters';
import type { Id } from '@attractor/base/id';
import type { RunOverrides } from '../types/run-overrides.ts';
import type { AgentRun, AgentRunStatus, CheckResult, RunStep } from '../types/index.ts';
import { idOf, parseJson } from '../database/json.ts';
import type { RunRow, RunStepRow } from '../database/schema.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { nextPartKey } from './short-keys.ts';
import { asUnasked, unasked } from '../database/unasked.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** How a run was requested: stored with it, so that the next worker configures it alike. */
export type RunRequest = {
  readonly hookParams: Readonly<Record<string, unknown>>;
  readonly overrides: RunOverrides;
  readonly retry?: RetryNote;
};

/** What a retry knows about the run before it. */
export type RetryNote = {
  readonly attempt: number;
  readonly maxAttempts: number;
  readonly of: Id<'run'>;
  readonly cause: string;
  readonly failure: string;
  readonly lastAction: string | null;
  /** How often this chain of runs waited for a provider's limit. */
  readonly waits: number;
};

export type SavedStep = { readonly step: RunStep; readonly ok: boolean; readonly result: unknown };

/** The run with its key, which it gets here. */
export async function insertRun(tx: Tx, run: Omit<AgentRun, 'key'>, request: RunRequest): Promise<AgentRun> {
  const given = await nextPartKey(tx, run.taskId, 'runs');
  await tx
    .insertInto('runs')
    .values({
      ...toRow(run),
      ...given,
      hook_params: JSON.stringify(request.hookParams),
      overrides: JSON.stringify(request.overrides),
      cancel_requested: 0,
      retry: request.retry === undefined ? null : JSON.stringify(request.retry),
      workplace: null,
    })
    .execute();
  return { ...run, key: given.key };
}

export async function findRun(db: Reader, id: string): Promise<AgentRun | null> {
  const row = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : fromRow(row);
}

/** A run that waits for its start, and what decides whether a worker can carry it out. */
export type RunToStart = {
  readonly run: AgentRun;
  readonly overrides: RunOverrides;
  readonly pipeline: { readonly id: string; readonly version: number };
};

export async function findRunsToStart(db: Reader, ids: ReadonlyArray<string>): Promise<ReadonlyArray<RunToStart>> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('runs')
    .innerJoin('tasks', 'tasks.id', 'runs.task_id')
    .selectAll('runs')
    .select(['tasks.pipeline_id', 'tasks.pipeline_version'])
    .where('runs.id', 'in', ids)
    .execute();
  return rows.map((row) => ({
    run: fromRow(row),
    overrides: parseJson<RunOverrides>(row.overrides, {}),
    pipeline: { id: row.pipeline_id, version: row.pipeline_version },
  }));
}

/** All that a worker needs to know of it; `workplace` is where it was last worked on, null before that. */
export async function findRunAndRequest(
  db: Reader,
  id: string,
): Promise<{ readonly run: AgentRun; readonly request: RunRequest; readonly workplace: string | null } | null> {
  const row = await db.selectFrom('runs').selectAll().where('id', '=', id).executeTakeFirst();
  return row === undefined ? null : { run: fromRow(row), request: readRequest(row), workplace: row.workplace };
}

export async function findRunRequest(db: Reader, id: string): Promise<RunRequest> {
  return readRequest((await requestOf(db, { id })).rows[0]);
}

function readRequest(row: Pick<RunRow, 'hook_params' | 'overrides' | 'retry'> | undefined): RunRequest {
  const retry = parseJson<RetryNote | null>(row?.retry ?? null, null);
  return {
    hookParams: parseJson(row?.hook_params ?? null, {}),
    overrides: parseJson<RunOverrides>(row?.overrides ?? null, {}),
    ...(retry === null ? {} : { retry }),
  };
}

const requestOf = compiledOnce((db, { id }: Given<{ id: string }>) =>
  db.selectFrom('runs').select(['hook_params', 'overrides', 'retry']).where('id', '=', id),
);

export async function setRunOverrides(tx: Tx, id: string, overrides: RunOverrides): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ overrides: JSON.stringify(overrides) })
    .where('id', '=', id)
    .execute();
}

export type RunFilter = {
  readonly taskId?: string;
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly status?: string;
  /** Leaves out runs that wait for a person: they are rows, and there may be many. */
  readonly unlessWaiting?: true;
  /** Only those that began before this one. */
  readonly before?: string;
};

/** In the order in which they began; with a limit the newest of them. */
export async function listRuns(
  db: Reader,
  { limit, ...filter }: RunFilter & { readonly limit?: number },
): Promise<ReadonlyArray<AgentRun>> {
  if (!isRunStatus(filter.status)) return [];
  const rows = await filtered(db, filter)
    .selectAll()
    .orderBy('id', limit === undefined ? 'asc' : 'desc')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return (limit === undefined ? rows : rows.toReversed()).map(fromRow);
}

/** How many there are, however many are listed. */
export async function countRuns(db: Reader, filter: RunFilter): Promise<number> {
  if (!isRunStatus(filter.status)) return 0;
  const row = await filtered(db, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

function filtered(db: Reader, { taskId, projectId, projectIds, status, unlessWaiting, before }: RunFilter) {
  let query = db.selectFrom('runs');
  if (taskId !== undefined) query = query.where('task_id', '=', taskId);
  if (projectId !== undefined) query = query.where('runs.project_id', '=', projectId);
  if (projectIds !== undefined) query = query.where('runs.project_id', 'in', projectIds);
  if (isRunStatus(status) && status !== undefined) query = query.where('status', '=', status);
  if (before !== undefined) query = query.where('runs.id', '<', before);
  if (unlessWaiting === true)
    query = query.where((run) =>
      run.not(
        run.exists(
          run
            .selectFrom('jobs')
            .select('jobs.id')
            .whereRef('jobs.run_id', '=', 'runs.id')
            .where('jobs.state', '=', 'waiting'),
        ),
      ),
    );
  return query;
}

const RUN_STATUSES: ReadonlyArray<string> = [
  'running',
  'completed',
  'failed',
  'cancelled',
  'timeout',
] satisfies ReadonlyArray<AgentRunStatus>;

function isRunStatus(text: string | undefined): text is AgentRunStatus | undefined {
  return text === undefined || RUN_STATUSES.includes(text);
}

export async function updateRun(tx: Tx, run: AgentRun): Promise<void> {
  await updateRow(tx, toRow(run));
}

const updateRow = compiledOnce((db, { id, ...columns }: Given<RunColumns>) =>
  asUnasked(db.updateTable('runs').set(columns).where('id', '=', id)),
);

export async function requestCancel(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('runs')
    .set({ cancel_requested: 1 })
    .where('id', '=', id)
    .where('status', '=', 'running')
    .execute();
}

/** A step is saved once; its first result stays. */
export async function saveStep(tx: Tx, runId: string, saved: SavedStep): Promise<void> {
  await insertStep(tx, {
    run_id: runId,
    step: saved.step,
    ok: saved.ok ? 1 : 0,
    result: JSON.stringify(saved.result ?? null),
    finished_at: transactionTime(tx),
  });
}

const insertStep = compiledOnce((db, row: Given<RunStepRow>) => asUnasked(db.insertInto('run_steps').values(row)));

/** Only for a run that another machine continues: the step's results are somewhere else there. */
export async function replaceStep(tx: Tx, runId: string, saved: SavedStep): Promise<void> {
  await tx
    .updateTable('run_steps')
    .set({ ok: saved.ok ? 1 : 0, result: JSON.stringify(saved.result ?? null) })
    .where('run_id', '=', runId)
    .where('step', '=', saved.step)
    .execute();
}

/** Where the run was last worked on; null before that. */
export async function findWorkplace(db: Reader, runId: string): Promise<string | null> {
  const row = await db.selectFrom('runs').select('workplace').where('id', '=', runId).executeTakeFirst();
  return row?.workplace ?? null;
}

export async function setWorkplace(tx: Tx, runId: string, workplace: string): Promise<void> {
  await unasked(tx.updateTable('runs').set({ workplace }).where('id', '=', runId));
}

export async function listSteps(db: Reader, runId: string): Promise<ReadonlyArray<SavedStep>> {
  const rows = await db.selectFrom('run_steps').selectAll().where('run_id', '=', runId).execute();
  return rows.map((row) => ({ step: row.step, ok: row.ok === 1, result: parseJson<unknown>(row.result, null) }));
}

type RunColumns = Omit<
  RunRow,
  'hook_params' | 'overrides' | 'cancel_requested' | 'attempt' | 'retry' | 'workplace' | 'key' | 'number'
>;

function toRow(run: Omit<AgentRun, 'key'>): RunColumns {
  return {
    id: run.id,
    task_id: run.taskId,
    project_id: run.projectId,
    agent_type: run.agentType,
    mode: run.mode,
    status: run.status,
    model: run.model,
    outcome: run.outcome,
    payload: run.payload === null || run.payload === undefined ? null : JSON.stringify(run.payload),
    token_usage: run.tokenUsage === null ? null : JSON.stringify(run.tokenUsage),
    checks: JSON.stringify(run.checks),
    branch: run.branch,
    worktree: run.worktree,
    duration_ms: run.durationMs,
    error: run.error,
    started_at: run.startedAt,
    finished_at: run.finishedAt,
  };
}

function fromRow(row: RunColumns & Pick<RunRow, 'retry' | 'key'>): AgentRun {
  const retry = parseJson<RetryNote | null>(row.retry, null);
  return {
    id: idOf('run', row.id),
    taskId: idOf('tsk', row.task_id),
    projectId: idOf('prj', row.project_id),
    agentType: row.agent_type,
    mode: row.mode,
    status: row.status,
    model: row.model,
    outcome: row.outcome,
    payload: parseJson<unknown>(row.payload, null),
    tokenUsage: parseJson<TokenUsage | null>(row.token_usage, null),
    checks: parseJson<ReadonlyArray<CheckResult>>(row.checks, []),
    branch: row.branch,
    worktree: row.worktree,
    durationMs: row.duration_ms,
    error: row.error,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    key: row.key,
    ...(retry === null ? {} : { retry: { attempt: retry.attempt, of: retry.of } }),
  };
}
