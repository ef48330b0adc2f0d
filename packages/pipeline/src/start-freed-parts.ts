import {
  aboutTask,
  type Actor,
  alsoAbout,
  findOpenSplit,
  findPipeline,
  listDependencies,
  listRuns,
  type Tx,
} from '@attractor/store';
import { autoRun } from './auto-run.ts';
import { isSettled, readSubtasks } from './subtask-standing.ts';

/**
 * A part that waited for others is begun by the project's `autoRun` as soon as those are settled, as it would have been when it was made:
 * accepted work that no base has is not enough, since its agent would not find it.
 */
export async function startFreedParts(
  tx: Tx,
  taskId: string,
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<void> {
  const split = await findOpenSplit(tx, taskId);
  const parts = split === null ? [] : await readSubtasks(tx, split);
  const unsettled = new Set(parts.filter((part) => !isSettled(part)).map(({ id }) => id));
  for (const { task } of parts) {
    const pipeline = task === null ? null : await findPipeline(tx, task.pipelineId, task.pipelineVersion);
    if (task === null || pipeline === null || task.status !== pipeline.initialStatus) continue;
    await alsoAbout(tx, aboutTask(task.id));
    const first = await listDependencies(tx, task.id);
    if (first.length === 0 || first.some(({ id }) => unsettled.has(id))) continue;
    if ((await listRuns(tx, { taskId: task.id })).length === 0) await autoRun(tx, { task, pipeline }, by);
  }
}
