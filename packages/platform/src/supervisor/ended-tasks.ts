import { findPipeline, findTask, listOpenEffects, listRuns, type Reader } from '@attractor/store';

/**
 * Why nobody needs what a task left on this machine: it ended `keepMs` ago, or was deleted. Null while it is needed, and if this database
 * can't know: it may belong to another database that shares the repository.
 */
export async function whyEnded(db: Reader, taskId: string, keepMs: number): Promise<string | null> {
  const task = await findTask(db, taskId);
  if (task === null) return (await wasDeleted(db, taskId)) ? 'its task was deleted' : null;
  const pipeline = await findPipeline(db, task.pipelineId, task.pipelineVersion);
  if (pipeline === null || !pipeline.terminalStatuses.includes(task.status)) return null;
  if ((await listRuns(db, { taskId, status: 'running' })).length > 0) return null;
  // What a run left is not on its branch yet.
  if ((await listOpenEffects(db, taskId)).length > 0) return null;
  return Date.now() - Date.parse(task.updatedAt) >= keepMs ? `its task is "${task.status}"` : null;
}

async function wasDeleted(db: Reader, taskId: string): Promise<boolean> {
  const row = await db
    .selectFrom('events')
    .select('seq')
    .where('task_id', '=', taskId)
    .where('type', '=', 'task.deleted')
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
