import { type Expression, expressionBuilder, type SqlBool } from 'kysely';
import { ofEach } from '../database/of-each.ts';
import type { Schema } from '../database/schema.ts';
import type { Reader } from '../database/store.ts';
import { hasOpenPrompt, isFirstOpenPrompt } from './open-prompts.ts';

/** Statuses of one version of a pipeline. */
export type StatusPlace = {
  readonly pipelineId: string;
  readonly pipelineVersion: number;
  readonly statuses: ReadonlyArray<string>;
};

/** Of whose tasks, and of those in which statuses. */
export type TaskSearch = {
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly taskId?: string;
  readonly places: ReadonlyArray<StatusPlace>;
};

/** The tasks that wait longest, and how many there are: what is not shown is counted and not read. */
export type WaitingTasks = {
  readonly oldest: ReadonlyArray<{ readonly id: string; readonly since: string }>;
  readonly count: number;
};

/** The tasks with a question that nobody answered, since the first of their open questions. */
export async function listAskedTasks(
  db: Reader,
  { limit, ...search }: TaskSearch & { readonly limit: number },
): Promise<WaitingTasks> {
  // Ids of prompts are in the order of their times, and an index has them by status: the first page is found without the others.
  const asked = db
    .selectFrom('prompts')
    .where('prompts.status', '=', 'pending')
    .where((prompt) =>
      prompt.exists(
        prompt
          .selectFrom('tasks')
          .select('tasks.id')
          .whereRef('tasks.id', '=', 'prompts.task_id')
          .where(isMeant(search, 'each')),
      ),
    );
  const oldest = await asked
    .select(['prompts.task_id as id', 'prompts.created_at as since'])
    .where(isFirstOpenPrompt())
    .orderBy('prompts.id')
    .limit(limit)
    .execute();
  if (oldest.length < limit) return { oldest, count: oldest.length };
  const all = await asked
    .select(({ fn }) => fn.count<number>('prompts.task_id').distinct().as('count'))
    .executeTakeFirst();
  return { oldest, count: all?.count ?? 0 };
}

/** What keeps a run in the queue until a person does something. */
export type Hold = {
  /** Of every project, or of these. */
  readonly paused: 'all' | ReadonlyArray<string>;
  /** The codes of blocks that end by nobody but a person, unless a time is known at which they do. */
  readonly codes: ReadonlyArray<string>;
  /** No worker is there; runs of these accounts wait for their provider all the same. Null: workers are there. */
  readonly unattended: { readonly limitedAccounts: ReadonlyArray<string> } | null;
};

/** The tasks whose run is held back, without a question, until a person does something; since the run began. */
export async function listHeldTasks(
  db: Reader,
  { limit, hold, ...search }: TaskSearch & { readonly limit: number; readonly hold: Hold },
): Promise<WaitingTasks> {
  const held = db
    .selectFrom('jobs')
    .innerJoin('runs', 'runs.id', 'jobs.run_id')
    // Jobs that are `waiting` have a question, and there may be many.
    .where('jobs.state', 'in', ['queued', 'running'])
    .where((job) => job.or([job('jobs.state', '=', 'queued'), job('jobs.blocked', 'is not', null)]))
    .where(isHeld(hold))
    .where(ofEach('runs.status'), '=', 'running')
    .where(isNewestRunning())
    .where((run) =>
      run.exists(
        run
          .selectFrom('tasks')
          .select('tasks.id')
          .whereRef('tasks.id', '=', 'runs.task_id')
          .where(isMeant(search, 'each'))
          .where((task) => task.not(hasOpenPrompt())),
      ),
    );
  const oldest = await held
    .select(['runs.task_id as id', 'runs.started_at as since'])
    .orderBy('runs.started_at')
    .orderBy('runs.id')
    .limit(limit)
    .execute();
  if (oldest.length < limit) return { oldest, count: oldest.length };
  const all = await held.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirst();
  return { oldest, count: all?.count ?? 0 };
}

function isHeld({ paused, codes, unattended }: Hold): Expression<SqlBool> {
  const job = expressionBuilder<Schema, 'jobs'>();
  if (paused === 'all') return job.lit(true);
  const blocked = job.and([
    job('jobs.blocked', 'not like', '%"until":"%'),
    job.or(codes.map((code) => job('jobs.blocked', 'like', `%"code":"${code}"%`))),
  ]);
  return job.or([
    job('jobs.project_id', 'in', ['', ...paused]),
    blocked,
    ...(unattended === null ? [] : [isUnattended(unattended)]),
  ]);
}

function isUnattended({ limitedAccounts }: NonNullable<Hold['unattended']>): Expression<SqlBool> {
  const job = expressionBuilder<Schema, 'jobs'>();
  const limited = ['', ...limitedAccounts];
  return job.and([
    job('jobs.blocked', 'is', null),
    job('jobs.not_before', 'is', null),
    job.or([
      job('jobs.account', 'not in', limited),
      // Without an account of its own a run counts against that of its agent.
      job.and([job('jobs.account', '=', ''), job('jobs.agent_type', 'not in', limited)]),
    ]),
  ]);
}

/** Of attempts the newest speaks for the task. */
function isNewestRunning(): Expression<SqlBool> {
  const run = expressionBuilder<Schema, 'runs'>();
  return run.not(
    run.exists(
      run
        .selectFrom('runs as later')
        .select('later.id')
        .whereRef('later.task_id', '=', 'runs.task_id')
        .whereRef('later.id', '>', 'runs.id')
        .where(ofEach('later.status'), '=', 'running'),
    ),
  );
}

/**
 * The tasks that nobody works on and that ask nothing: begun, in whatever way. `first` are the statuses in which a task is before anybody
 * began.
 */
export async function listRestingTasks(
  db: Reader,
  { first, ...search }: TaskSearch & { readonly first: ReadonlyArray<StatusPlace> },
): Promise<ReadonlyArray<string>> {
  const rows = await db
    .selectFrom('tasks')
    .select('tasks.id')
    .where(isMeant(search))
    .where((task) => task.not(hasOpenPrompt()))
    .where((task) =>
      // Counted, they are looked up task by task; PostgreSQL would read all runs that there ever were.
      task(
        task
          .selectFrom('runs')
          .select(({ fn }) => fn.countAll<number>().as('running'))
          .whereRef('runs.task_id', '=', 'tasks.id')
          .where(ofEach('runs.status'), '=', 'running'),
        '=',
        0,
      ),
    )
    .where((task) =>
      task.or([
        task.not(isIn(first)),
        task(
          task
            .selectFrom('runs')
            .select(({ fn }) => fn.countAll<number>().as('begun'))
            .whereRef('runs.task_id', '=', 'tasks.id'),
          '>',
          0,
        ),
        task.exists(
          task.selectFrom('task_splits').select('task_splits.id').whereRef('task_splits.task_id', '=', 'tasks.id'),
        ),
      ]),
    )
    .orderBy('tasks.id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The tasks with work that no base has. The database keeps a list of them. */
export async function listUnmergedTasks(db: Reader, search: TaskSearch): Promise<ReadonlyArray<string>> {
  const rows = await db
    .selectFrom('unmerged_work')
    .select('unmerged_work.task_id')
    .where((work) =>
      // Counted, each is looked up; PostgreSQL, which takes an empty table for a long one, would read all tasks to join them.
      work(
        work
          .selectFrom('tasks')
          .select(({ fn }) => fn.countAll<number>().as('found'))
          .whereRef('tasks.id', '=', 'unmerged_work.task_id')
          .where(isMeant(search, 'each')),
        '>',
        0,
      ),
    )
    .orderBy('unmerged_work.task_id')
    .execute();
  return rows.map(({ task_id }) => task_id);
}

/** `each`: of a task that another row names, and that is looked up by its id. */
function isMeant(
  { projectId, projectIds, taskId, places }: TaskSearch,
  looked: 'all' | 'each' = 'all',
): Expression<SqlBool> {
  const task = expressionBuilder<Schema, 'tasks'>();
  return task.and([
    isIn(places, looked),
    ...(projectId === undefined ? [] : [task('tasks.project_id', '=', projectId)]),
    ...(projectIds === undefined ? [] : [task('tasks.project_id', 'in', projectIds)]),
    ...(taskId === undefined ? [] : [task('tasks.id', '=', taskId)]),
  ]);
}

/** Never an empty list: PostgreSQL has none. */
function isIn(places: ReadonlyArray<StatusPlace>, looked: 'all' | 'each' = 'all'): Expression<SqlBool> {
  const task = expressionBuilder<Schema, 'tasks'>();
  const [pipeline, status] =
    looked === 'all'
      ? (['tasks.pipeline_id', 'tasks.status'] as const)
      : [ofEach('tasks.pipeline_id'), ofEach('tasks.status')];
  // An `or` with a constant would keep an index from being used.
  if (places.length === 0) return task.lit(false);
  return task.or(
    places.map(({ pipelineId, pipelineVersion, statuses }) =>
      task.and([
        task(pipeline, '=', pipelineId),
        task('tasks.pipeline_version', '=', pipelineVersion),
        task(status, 'in', ['', ...statuses]),
      ]),
    ),
  );
}
