import { type Actor, appendEvents, findOpenSplit, settleSplitRow, type Task, type Tx } from '@attractor/store';

/** The task goes on by other means: it need not wait for its subtasks any more. They stay as they are. */
export async function leaveSplit(tx: Tx, task: Task, actor: Actor): Promise<void> {
  const split = await findOpenSplit(tx, task.id);
  if (split === null || !(await settleSplitRow(tx, split))) return;
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'subtasks.settled',
      summary: 'Continues without waiting for its subtasks',
      data: { taskIds: split.subtasks.map(({ taskId }) => taskId) },
      actor,
    },
  ]);
}
