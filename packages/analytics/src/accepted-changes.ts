import { sql } from 'kysely';
import { isCancelled } from '@attractor/facts';
import { listPipelinesInUse, type Store } from '@attractor/store';
import { type Asked, matching } from './matching-runs.ts';

/**
 * Tasks whose work people took: they are at an end of their pipeline that means done. Each counts once, for the run that wrote to it last; of
 * several attempts, for the one that was taken.
 */
export async function countAccepted(from: Pick<Store, 'read'>, asked: Asked): Promise<number> {
  const ends = (await listPipelinesInUse(from.read)).flatMap(({ id, version, terminalStatuses }) =>
    terminalStatuses.filter((status) => !isCancelled(status)).map((status) => ({ id, version, status })),
  );
  // PostgreSQL has no empty list of ways.
  if (ends.length === 0) return 0;
  const row = await matching(from, asked)
    .innerJoin('tasks', 'tasks.id', 'runs.task_id')
    .where((task) =>
      task.or(
        ends.map(({ id, version, status }) =>
          task.and([
            task('tasks.pipeline_id', '=', id),
            task('tasks.pipeline_version', '=', version),
            task('tasks.status', '=', status),
          ]),
        ),
      ),
    )
    .where('runs.id', '=', LAST_WRITER)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

const LAST_WRITER = sql<string>`(
  select writer.id from runs as writer
  where writer.task_id = tasks.id and case when writer.attempt = 0
    then exists (
      select 1 from artifacts
      where artifacts.task_id = tasks.id and artifacts.run_id = writer.id and artifacts.type = 'commit'
    )
    else exists (
      select 1 from attempt_groups
      where attempt_groups.task_id = tasks.id and attempt_groups.winner_run_id = writer.id
    )
  end
  order by writer.id desc limit 1
)`;
