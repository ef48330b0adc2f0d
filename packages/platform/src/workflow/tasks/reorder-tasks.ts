import { done } from '@attractor/base';
import {
  type Actor,
  appendEvents,
  findTask,
  pageTasks,
  placeAfter,
  refuse,
  type Result,
  spreadPlaces,
  type Store,
  type Task,
  type Tx,
  updateTask,
} from '@attractor/store';
import { changedMeanwhile } from './edit-tasks.ts';

export type ReorderCommand = { readonly taskId: string; readonly after: string | null };

/** The task gets a position between its new neighbours; no other task moves, as long as there is room between them. */
export function reorderTask(store: Store, command: ReorderCommand, actor: Actor): Promise<Result<Task>> {
  return store.transact(async (tx) => {
    const task = await findTask(tx, command.taskId);
    if (task === null) return refuse('not_found', `There is no task ${command.taskId}.`);
    const after = command.after === null ? null : await findTask(tx, command.after);
    if (command.after !== null && after?.projectId !== task.projectId)
      return refuse('not_found', `There is no task ${command.after} in this project.`);
    if (after?.id === task.id) return done(task);
    const sortOrder = await freePlace(tx, task.projectId, after, actor);
    const current = await findTask(tx, task.id);
    const moved = current === null ? null : await updateTask(tx, current, { sortOrder });
    if (moved === null) return changedMeanwhile(task);
    await tellOfPlace(tx, moved, actor);
    return done(moved);
  });
}

async function freePlace(tx: Tx, projectId: string, after: Task | null, actor: Actor): Promise<number> {
  const { from, to } = await placeAfter(tx, projectId, after);
  const middle = (from + to) / 2;
  if (middle > from && middle < to) return middle;
  await spreadPlaces(tx, projectId);
  await tellOfAll(tx, projectId, actor);
  const again = after === null ? null : await findTask(tx, after.id);
  const wider = await placeAfter(tx, projectId, again);
  return (wider.from + wider.to) / 2;
}

async function tellOfAll(tx: Tx, projectId: string, actor: Actor): Promise<void> {
  const { tasks } = await pageTasks(tx, { projectId, limit: Number.MAX_SAFE_INTEGER - 1 });
  for (const task of tasks) await tellOfPlace(tx, task, actor);
}

async function tellOfPlace(tx: Tx, task: Task, actor: Actor): Promise<void> {
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'field.updated',
      level: 'debug',
      summary: 'Moved to another place on the board',
      data: { task, fields: ['sortOrder'] },
      actor,
    },
  ]);
}
