import { findPipeline, type PipelineDefinition, type Reader, type Task, tasksOfIds } from '@attractor/store';
import { isCancelled } from '@attractor/pipeline';

type Scope = {
  readonly projectId?: string;
  readonly projectIds?: ReadonlyArray<string>;
  readonly taskId?: string;
};

/** `since`: when the first of its open questions was asked. */
export type AskedTask = { readonly id: string; readonly since: string };

/** The tasks with a question that nobody answered, the longest wait first: each waits for a person, so only those that are shown are read. */
export async function listAskedTasks(
  db: Reader,
  { limit, ...scope }: Scope & { readonly limit: number },
): Promise<{ readonly oldest: ReadonlyArray<AskedTask>; readonly count: number }> {
  const oldest: AskedTask[] = [];
  let count = 0;
  for (const pipeline of await pipelinesInUse(db)) {
    const asked = inScope(db, pipeline, scope)
      .innerJoin('prompts', 'prompts.task_id', 'tasks.id')
      .where('prompts.status', '=', 'pending')
      // Never empty: PostgreSQL has no empty list.
      .where('tasks.status', 'not in', ['', ...pipeline.terminalStatuses]);
    const first = asked.select((row) => row.fn.min('prompts.created_at').as('since')).groupBy('tasks.id');
    const all = await asked
      .clearSelect()
      .select((row) => row.fn.count('tasks.id').distinct().as('tasks'))
      .executeTakeFirst();
    oldest.push(...(await first.orderBy('since').orderBy('tasks.id').limit(limit).execute()));
    count += Number(all?.tasks ?? 0);
  }
  return { oldest, count };
}

async function pipelinesInUse(db: Reader): Promise<ReadonlyArray<PipelineDefinition>> {
  const kinds = await db.selectFrom('tasks').select(['pipeline_id', 'pipeline_version']).distinct().execute();
  const found: PipelineDefinition[] = [];
  for (const { pipeline_id, pipeline_version } of kinds) {
    const pipeline = await findPipeline(db, pipeline_id, pipeline_version);
    if (pipeline !== null) found.push(pipeline);
  }
  return found;
}

/**
 * Every task without an open question that may wait for a person: begun and not ended, or ended with work that no base has. New tasks that
 * nobody started, and what was merged or closed, are not read.
 */
export async function listUnsettledTasks(db: Reader, scope: Scope): Promise<ReadonlyArray<Task>> {
  const ids: string[] = [];
  for (const pipeline of await pipelinesInUse(db))
    ids.push(...(await begun(db, pipeline, scope)), ...(await unmerged(db, pipeline, scope)));
  return tasksOfIds(db, ids.toSorted());
}

function inScope(db: Reader, { id, version }: PipelineDefinition, { projectId, projectIds, taskId }: Scope) {
  let query = db
    .selectFrom('tasks')
    .select('tasks.id')
    .where('pipeline_id', '=', id)
    .where('pipeline_version', '=', version);
  if (projectId !== undefined) query = query.where('tasks.project_id', '=', projectId);
  if (projectIds !== undefined) query = query.where('tasks.project_id', 'in', projectIds);
  if (taskId !== undefined) query = query.where('tasks.id', '=', taskId);
  return query;
}

async function begun(db: Reader, pipeline: PipelineDefinition, scope: Scope): Promise<ReadonlyArray<string>> {
  const { statuses, initialStatus, terminalStatuses } = pipeline;
  const further = statuses.map(({ id }) => id).filter((id) => id !== initialStatus && !terminalStatuses.includes(id));
  const rows = await inScope(db, pipeline, scope)
    .where((task) =>
      task.not(
        task.exists(
          task
            .selectFrom('prompts')
            .select('prompts.id')
            .whereRef('prompts.task_id', '=', 'tasks.id')
            .where('prompts.status', '=', 'pending'),
        ),
      ),
    )
    .where((task) =>
      task.or([
        ...(further.length === 0 ? [] : [task('tasks.status', 'in', further)]),
        task.and([
          task('tasks.status', '=', initialStatus),
          task.or([
            task.exists(task.selectFrom('runs').select('runs.id').whereRef('runs.task_id', '=', 'tasks.id')),
            task.exists(
              task.selectFrom('task_splits').select('task_splits.id').whereRef('task_splits.task_id', '=', 'tasks.id'),
            ),
          ]),
        ]),
      ]),
    )
    .execute();
  return rows.map(({ id }) => id);
}

async function unmerged(db: Reader, pipeline: PipelineDefinition, scope: Scope): Promise<ReadonlyArray<string>> {
  const accepted = pipeline.terminalStatuses.filter((id) => !isCancelled({ id }));
  if (accepted.length === 0) return [];
  const rows = await inScope(db, pipeline, scope)
    .where('tasks.status', 'in', accepted)
    .where((task) =>
      task.exists(
        task
          .selectFrom('artifacts')
          .select('artifacts.id')
          .whereRef('artifacts.task_id', '=', 'tasks.id')
          .where('artifacts.type', 'in', ['branch', 'pull_request']),
      ),
    )
    .where((task) =>
      task.not(
        task.exists(
          task
            .selectFrom('artifacts')
            .select('artifacts.id')
            .whereRef('artifacts.task_id', '=', 'tasks.id')
            .where('artifacts.type', '=', 'pull_request')
            .where('artifacts.metadata', 'like', '%"state":"merged"%'),
        ),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}
