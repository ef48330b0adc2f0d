import { newId } from '@attractor/agent';
import { moveTo, readOptions } from '../pipeline/engine.ts';
import { done, refuse } from '../refusal.ts';
import { appendEvents } from '../store/events.ts';
import { findDefaultPipeline, findPipeline } from '../store/pipelines.ts';
import { findProject } from '../store/projects.ts';
import type { Reader, Store } from '../store/store.ts';
import { findTask, insertTask } from '../store/tasks.ts';
import { idOf } from '../store/json.ts';
import type { Actor, PipelineDefinition, Task, TransitionOption } from '../types/index.ts';
import type { NewTask, Result } from '../workflow-contract.ts';

const MAX_TITLE = 500;

export async function createTask(store: Store, input: NewTask, actor: Actor): Promise<Result<Task>> {
  const title = input.title.trim();
  if (title === '') return refuse('invalid', 'A task needs a title.');
  if (title.length > MAX_TITLE)
    return refuse(
      'invalid',
      `The title is too long (${title.length} characters, at most ${MAX_TITLE}): put the rest into the description.`,
    );
  return store.transact(async (tx) => {
    const project = await findProject(tx, input.projectId);
    if (project === null) return refuse('not_found', `There is no project ${input.projectId}.`);
    const pipeline =
      input.pipelineId === undefined ? await findDefaultPipeline(tx) : await findPipeline(tx, input.pipelineId);
    if (pipeline === null) return refuse('not_found', `There is no pipeline "${input.pipelineId ?? 'default'}".`);
    const task = newTask({ ...input, title }, pipeline);
    await insertTask(tx, task, input.overrides ?? {});
    await appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        category: 'lifecycle',
        type: 'task.created',
        summary: `Task created: ${title}`,
        data: { task },
        actor,
      },
    ]);
    return done(task);
  });
}

function newTask(input: NewTask, pipeline: PipelineDefinition): Task {
  const now = new Date().toISOString();
  return {
    id: newId('tsk'),
    projectId: idOf('prj', input.projectId),
    title: input.title,
    description: input.description ?? '',
    status: pipeline.initialStatus,
    pipelineId: pipeline.id,
    pipelineVersion: pipeline.version,
    priority: input.priority ?? 'medium',
    size: input.size ?? 'm',
    complexity: input.complexity ?? 'medium',
    tags: input.tags ?? [],
    plan: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

/** What a person may do with the task now, and why not the rest. */
export async function validTransitions(db: Reader, taskId: string): Promise<ReadonlyArray<TransitionOption>> {
  const found = await findTaskAndPipeline(db, taskId);
  if (!found.ok) return [];
  return readOptions(db, found.value.task, { pipeline: found.value.pipeline, trigger: { type: 'manual' } });
}

export type TransitionCommand = { readonly taskId: string; readonly to: string; readonly reason?: string };

export async function transitionTask(
  store: Store,
  input: TransitionCommand,
  by: { readonly actor: Actor; readonly defaultAgentType: string },
): Promise<Result<Task>> {
  return store.transact(async (tx) => {
    const found = await findTaskAndPipeline(tx, input.taskId);
    if (!found.ok) return found;
    return moveTo(
      tx,
      { ...found.value, to: input.to },
      { trigger: { type: 'manual' }, ...by, ...(input.reason === undefined ? {} : { reason: input.reason }) },
    );
  });
}

export async function findTaskAndPipeline(
  db: Reader,
  taskId: string,
): Promise<Result<{ readonly task: Task; readonly pipeline: PipelineDefinition }>> {
  const task = await findTask(db, taskId);
  if (task === null) return refuse('not_found', `There is no task ${taskId}.`);
  const pipeline = await findPipeline(db, task.pipelineId, task.pipelineVersion);
  return pipeline === null
    ? refuse('not_found', `The pipeline "${task.pipelineId}" of the task is gone.`)
    : done({ task, pipeline });
}
