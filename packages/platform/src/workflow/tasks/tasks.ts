import { defined, done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { storedFields, type StoredTaskFields, type TaskField } from '@attractor/facts';
import { autoRun, moveTo, readOptions } from '@attractor/pipeline';
import {
  type Actor,
  appendEvents,
  findDefaultPipeline,
  findPipeline,
  findProject,
  findTask,
  idOf,
  insertDependency,
  insertTask,
  lastPlace,
  listTasks,
  type NewTask,
  type PipelineDefinition,
  type Project,
  type Reader,
  refuse,
  type Result,
  type Store,
  type Task,
  transactionTime,
  type TransitionOption,
  type Tx,
} from '@attractor/store';
import { judgeMove } from './another-person.ts';
import { judgeTaskFields } from './task-fields.ts';
import { writtenPlan } from './written-plan.ts';
import { resolveTemplate } from './templates.ts';

type By = { readonly actor: Actor; readonly defaultAgentType: string };

/** With it the agent that the project's `autoRun` names for the first status starts, if it names one. */
export async function createTask(store: Store, input: NewTask, by: By): Promise<Result<Task>> {
  const filled = await fillIn(store.read, input);
  if (!filled.ok) return filled;
  return store.transact(async (tx) => {
    const task = await createIn(tx, filled.value, by.actor);
    const pipeline = task.ok ? await findPipeline(tx, task.value.pipelineId, task.value.pipelineVersion) : null;
    if (task.ok && pipeline !== null) await autoRun(tx, { task: task.value, pipeline }, by);
    return task;
  });
}

/** The same within a transaction of the caller, for a task without a template. */
export async function createIn(tx: Tx, wanted: NewTask, actor: Actor): Promise<Result<Task>> {
  const project = await findProject(tx, wanted.projectId);
  if (project === null) return refuse('not_found', `There is no project ${wanted.projectId}.`);
  const pipeline = await choosePipeline(tx, project, wanted);
  if (!pipeline.ok) return pipeline;
  const parent = await judgeParent(tx, { projectId: project.id, parentTaskId: wanted.parentTaskId ?? null });
  if (!parent.ok) return parent;
  const first = await findTasksOf(tx, project.id, wanted.dependsOn ?? []);
  if (!first.ok) return first;
  const started = newTask(wanted, {
    pipeline: pipeline.value,
    sortOrder: await lastPlace(tx, project.id),
    now: transactionTime(tx),
  });
  const task = await insertTask(tx, started, wanted.overrides ?? {});
  for (const { id } of first.value) await insertDependency(tx, { taskId: task.id, dependsOnId: id });
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'task.created',
      summary: `Task created: ${task.title}`,
      data: { task, dependsOn: first.value.map(({ id }) => id) },
      actor,
    },
  ]);
  return done(task);
}

/** The requested task with its template's presets filled in, if that makes a valid task. */
export async function fillIn(db: Reader, input: NewTask): Promise<Result<NewTask>> {
  const template = await resolveTemplate(db, input.template);
  if (!template.ok) return template;
  const { acceptanceCriteria: criteria, ...preset } = template.value;
  const wanted: NewTask = {
    ...preset,
    ...defined({ acceptanceCriteria: criteria }),
    ...input,
    title: (input.title.trim() === '' ? preset.title : input.title)?.trim() ?? '',
  };
  const unfit = judgeTaskFields(wanted);
  if (unfit !== null || typeof wanted.plan !== 'string') return unfit ?? done(wanted);
  const plan = writtenPlan(wanted.plan, null);
  return plan.ok ? done({ ...wanted, plan: plan.value }) : plan;
}

/** The task's own pipeline, then the project's for this type of task, then the project's default, then the global default. */
export async function choosePipeline(
  db: Reader,
  project: Project,
  input: NewTask,
): Promise<Result<PipelineDefinition>> {
  const { defaultPipeline, pipelineByType = {} } = project.config;
  const byType = input.taskType === undefined ? undefined : pipelineByType[input.taskType];
  const id = input.pipelineId ?? byType ?? defaultPipeline;
  const pipeline = id === undefined ? await findDefaultPipeline(db) : await findPipeline(db, id);
  return pipeline === null ? refuse('not_found', `There is no pipeline "${id ?? 'default'}".`) : done(pipeline);
}

async function findTasksOf(
  db: Reader,
  projectId: string,
  ids: ReadonlyArray<string>,
): Promise<Result<ReadonlyArray<Task>>> {
  const tasks: Task[] = [];
  for (const id of new Set(ids)) {
    const task = await findTask(db, id);
    if (task === null || task.projectId !== projectId)
      return refuse('not_found', `There is no task ${id} in this project that it could depend on.`);
    tasks.push(task);
  }
  return done(tasks);
}

/** One level: neither the parent of a parent nor a child of a child. Null is always valid. */
export async function judgeParent(
  db: Reader,
  wish: { readonly projectId: string; readonly parentTaskId: string | null; readonly taskId?: string },
): Promise<Result<null>> {
  if (wish.parentTaskId === null) return done(null);
  const parent = await findTask(db, wish.parentTaskId);
  if (parent === null || parent.projectId !== wish.projectId)
    return refuse('not_found', `There is no task ${wish.parentTaskId} in this project that could be its parent.`);
  if (parent.id === wish.taskId) return refuse('invalid', 'A task is not its own parent.');
  if (parent.parentTaskId !== null)
    return refuse('invalid', `${parent.key} is a subtask itself: subtasks have no subtasks of their own.`);
  const [child] = wish.taskId === undefined ? [] : await listTasks(db, { parentTaskId: wish.taskId, limit: 1 });
  return child === undefined
    ? done(null)
    : refuse('invalid', `The task has subtasks (${child.key}): it can't become one itself.`);
}

type Start = { readonly pipeline: PipelineDefinition; readonly sortOrder: number; readonly now: string };

function newTask(input: NewTask, { pipeline, sortOrder, now }: Start): Omit<Task, 'key'> {
  const said = storedFields().map(([name, field]) => [name, firstValue(field, Reflect.get(input, name))]);
  const fields: StoredTaskFields = Object.fromEntries(said);
  return {
    ...fields,
    id: newId('tsk'),
    projectId: idOf('prj', input.projectId),
    status: pipeline.initialStatus,
    pipelineId: pipeline.id,
    pipelineVersion: pipeline.version,
    sortOrder,
    pendingPayload: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  };
}

function firstValue({ kind, preset, id }: TaskField, said: unknown): unknown {
  if (said === undefined) return preset;
  if (kind === 'words' && Array.isArray(said)) return [...new Set(said)];
  if (kind === 'criteria' && Array.isArray(said)) return said.map((text) => ({ text, met: false }));
  return id !== undefined && typeof said === 'string' ? idOf(id, said) : said;
}

/** What a person can do with the task now, and why the rest is not possible. */
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
    const refused = await judgeMove(tx, { ...found.value, to: input.to }, by.actor);
    if (refused !== null) return refused;
    return moveTo(
      tx,
      { ...found.value, to: input.to },
      { trigger: { type: 'manual' }, ...by, ...defined({ reason: input.reason }) },
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
