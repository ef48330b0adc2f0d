import { done } from '@attractor/base';
import {
  type Actor,
  appendEvents,
  deleteDependency,
  type Dependency,
  findDependencyPath,
  findTask,
  insertDependency,
  type Reader,
  refuse,
  type Result,
  type Store,
  type Task,
} from '@attractor/store';

/** Refused if it would close a cycle; the cycle is named. Adding an existing dependency changes nothing. */
export function addDependency(store: Store, wish: Dependency, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    const pair = await findPair(tx, wish);
    if (!pair.ok) return pair;
    const { task, first } = pair.value;
    const back = await findDependencyPath(tx, first.id, task.id);
    if (back !== null) {
      const circle = [task.id, ...back];
      return refuse(
        'invalid',
        `That would be a circle: ${await named(tx, circle)}. Remove one of these dependencies first.`,
        {
          cycle: circle,
        },
      );
    }
    if (!(await insertDependency(tx, wish))) return done(null);
    await appendEvents(tx, [
      { ...about(task, wish, actor), type: 'dep.added', summary: `Now waits for: ${first.title}` },
    ]);
    return done(null);
  });
}

export function removeDependency(store: Store, wish: Dependency, actor: Actor): Promise<Result<null>> {
  return store.transact(async (tx) => {
    const pair = await findPair(tx, wish);
    if (!pair.ok) return pair;
    if (!(await deleteDependency(tx, wish)))
      return refuse('not_found', `${wish.taskId} does not depend on ${wish.dependsOnId}.`);
    const { task, first } = pair.value;
    await appendEvents(tx, [
      { ...about(task, wish, actor), type: 'dep.removed', summary: `No longer waits for: ${first.title}` },
    ]);
    return done(null);
  });
}

async function findPair(db: Reader, wish: Dependency): Promise<Result<{ readonly task: Task; readonly first: Task }>> {
  const task = await findTask(db, wish.taskId);
  if (task === null) return refuse('not_found', `There is no task ${wish.taskId}.`);
  const first = await findTask(db, wish.dependsOnId);
  if (first === null || first.projectId !== task.projectId)
    return refuse('not_found', `There is no task ${wish.dependsOnId} in this project.`);
  return done({ task, first });
}

async function named(db: Reader, ids: ReadonlyArray<string>): Promise<string> {
  const tasks = [];
  for (const id of ids) tasks.push(await findTask(db, id));
  return tasks.map((task) => `"${task?.title ?? '?'}" (${task?.id ?? '?'})`).join(' → ');
}

function about(task: Task, wish: Dependency, actor: Actor) {
  return { projectId: task.projectId, taskId: task.id, data: { dependency: wish }, actor };
}
