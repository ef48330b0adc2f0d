import {
  type Actor,
  appendEvents,
  findOpenSplit,
  settleSplitRow,
  type Split,
  type Task,
  type Tx,
} from '@attractor/store';
import { isMissing, isSettled, readSubtasks, type SubtaskStanding } from './subtask-standing.ts';

/** What became of the subtasks; `isWhole`: none of them is missing. */
export type SplitEnd = { readonly split: Split; readonly isWhole: boolean; readonly summary: string };

/** Ends the wait of a task for its subtasks, once: null if it does not wait, or has to wait on. */
export async function endSplit(tx: Tx, task: Task, actor: Actor): Promise<SplitEnd | null> {
  const split = await findOpenSplit(tx, task.id);
  if (split === null) return null;
  const subtasks = await readSubtasks(tx, split);
  if (!subtasks.every(isSettled) || !(await settleSplitRow(tx, split))) return null;
  const summary = subtasks.map(({ title, standing }) => `"${title}" ${ENDS[standing]}`).join(', ');
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'subtasks.settled',
      summary: `The subtasks are settled: ${summary}`,
      data: { summary, taskIds: subtasks.map(({ id }) => id) },
      actor,
    },
  ]);
  return { split, isWhole: !subtasks.some(isMissing), summary };
}

const ENDS: Readonly<Record<SubtaskStanding, string>> = {
  open: 'is open',
  accepted: 'is accepted and not merged',
  merged: 'is merged',
  done: 'is done',
  closed: 'was closed without being merged',
  gone: 'was deleted',
};
