import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { done } from '@attractor/base';
import {
  type Actor,
  type AgentRun,
  appendEvents,
  findProject,
  findTask,
  listRuns,
  listTasks,
  type Project,
  type Reader,
  refuse,
  removeProject,
  removeTask,
  type Result,
  type Store,
  taskIdsOf,
  type Tx,
} from '@attractor/store';
import { stopRun } from '@attractor/pipeline';
import { SETUPS } from '@attractor/repository';
import { changedMeanwhile } from './edit-tasks.ts';
import { removeFiles } from '@attractor/store';
import type { BulkResult } from './contract.ts';

/** How long a delete waits for the agents that it stopped. */
const STOP_PATIENCE_MS = 30_000;

type Removing = { readonly store: Store; readonly home: string };

/** Stops the task's agents, then deletes everything in one transaction. If an agent does not stop in time nothing is deleted. */
export async function deleteTask(
  on: Removing,
  command: { readonly taskId: string; readonly version?: number },
  actor: Actor,
): Promise<Result<null>> {
  const task = await findTask(on.store.read, command.taskId);
  if (task === null) return refuse('not_found', `There is no task ${command.taskId}.`);
  if (command.version !== undefined && command.version !== task.version) return changedMeanwhile(task);
  const still = await stopAgents(on, { taskId: task.id }, actor);
  if (still !== null) return stillWorking(still);
  const removed = await on.store.transact(async (tx): Promise<Result<null>> => {
    const [running] = await listRuns(tx, { taskId: task.id, status: 'running' });
    if (running !== undefined) return stillWorking(running);
    await removeWithEvent(tx, { projectId: task.projectId, taskId: task.id, title: task.title }, actor);
    return done(null);
  });
  if (removed.ok) await removeFiles(on.home, task.id);
  return removed;
}

export async function bulkDelete(
  on: Removing,
  taskIds: ReadonlyArray<string>,
  actor: Actor,
): Promise<Result<BulkResult>> {
  const removed: string[] = [];
  const refused: Array<BulkResult['refused'][number]> = [];
  for (const taskId of new Set(taskIds)) {
    const result = await deleteTask(on, { taskId }, actor);
    if (result.ok) removed.push(taskId);
    else refused.push({ taskId, message: result.error.message });
  }
  return done({ done: removed, refused });
}

export async function deleteProject(
  on: Removing,
  projectId: string,
  actor: Actor,
): Promise<Result<{ readonly tasks: number }>> {
  const project = await findProject(on.store.read, projectId);
  if (project === null) return refuse('not_found', `There is no project ${projectId}.`);
  const still = await stopAgents(on, { projectId }, actor);
  if (still !== null) return stillWorking(still);
  const removed = await on.store.transact(async (tx): Promise<Result<ReadonlyArray<string>>> => {
    const [running] = await listRuns(tx, { projectId, status: 'running' });
    if (running !== undefined) return stillWorking(running);
    const taskIds = await taskIdsOf(tx, projectId);
    await removeProject(tx, projectId);
    await tellOfProject(tx, project, { tasks: taskIds.length, actor });
    return done(taskIds);
  });
  if (!removed.ok) return removed;
  for (const taskId of removed.value) await removeFiles(on.home, taskId);
  await rm(join(on.home, SETUPS, projectId), { recursive: true, force: true });
  return done({ tasks: removed.value.length });
}

function stillWorking(run: AgentRun) {
  return refuse(
    'blocked',
    `An agent (${run.key}) was asked to stop but is still working: nothing was removed. Try again once it has ended.`,
    { run },
  );
}

/** Null when no agent works any more, otherwise one that still does. */
async function stopAgents(
  { store }: Removing,
  of: { readonly taskId?: string; readonly projectId?: string },
  actor: Actor,
): Promise<AgentRun | null> {
  const running = (db: Reader) => listRuns(db, { ...of, status: 'running' });
  if ((await running(store.read)).length === 0) return null;
  await store.transact(async (tx) => {
    for (const run of await running(tx)) await stopRun(tx, run, actor);
  });
  const deadline = performance.now() + STOP_PATIENCE_MS;
  for (;;) {
    const [still] = await running(store.read);
    if (still === undefined || performance.now() > deadline) return still ?? null;
    await changed(store);
  }
}

const LOOK_AGAIN_MS = 200;

async function changed(store: Store): Promise<void> {
  const next = Promise.withResolvers<unknown>();
  const stop = store.onChange(next.resolve, ['runs']);
  const timer = setTimeout(next.resolve, LOOK_AGAIN_MS);
  await next.promise;
  clearTimeout(timer);
  stop();
}

async function removeWithEvent(
  tx: Tx,
  gone: { readonly projectId: string; readonly taskId: string; readonly title: string },
  actor: Actor,
): Promise<void> {
  const children = await listTasks(tx, { parentTaskId: gone.taskId, limit: 10_000 });
  await removeTask(tx, gone.taskId);
  await appendEvents(tx, [
    {
      projectId: gone.projectId,
      taskId: gone.taskId,
      type: 'task.deleted',
      summary: `Task deleted: ${gone.title}`,
      data: { taskId: gone.taskId },
      actor,
    },
    ...children.map((child) => ({
      projectId: child.projectId,
      taskId: child.id,
      type: 'field.updated' as const,
      summary: 'Changed: parentTaskId',
      data: { task: { ...child, parentTaskId: null }, fields: ['parentTaskId'] },
      actor,
    })),
  ]);
}

async function tellOfProject(
  tx: Tx,
  project: Project,
  { tasks, actor }: { readonly tasks: number; readonly actor: Actor },
): Promise<void> {
  await appendEvents(tx, [
    {
      projectId: project.id,
      type: 'project.deleted',
      summary: `Project ${project.name} was removed with ${tasks} ${tasks === 1 ? 'task' : 'tasks'}; its files were not touched`,
      data: { projectId: project.id, path: project.path },
      actor,
    },
  ]);
}
