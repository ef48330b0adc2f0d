import { defined, done } from '@attractor/base';
import { type Id, newId } from '@attractor/base/id';
import { storedFields, type StoredTaskFields, type TaskField } from '@attractor/facts';
import { autoRun, moveTo, readOptions } from '@attractor/pipeline';
import {
  aboutTask,
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
  nextTaskKey,
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
  const id = newId('tsk');
  return store.transact(
    async (tx) => {
      const created = await createIn(tx, { ...filled.value, id }, by.actor);
      if (!created.ok) return created;
      await autoRun(tx, created.value, by);
      return done(created.value.task);
    },
    aboutWanted({ ...filled.value, id }),
  );
}

type Wanted = NewTask & { readonly id: Id<'tsk'> };

/** With what it waits for and what it is a part of: one that ends meanwhile has to see it, or be seen as ended. */
function aboutWanted({ id, dependsOn = [], parentTaskId }: Wanted) {
  return [id, ...dependsOn, parentTaskId ?? []].flat().flatMap((taskId) => aboutTask(taskId));
}

type Created = { readonly task: Task; readonly pipeline: PipelineDefinition; readonly project: Project };

/**
 * The same within a transaction of the caller, for a task without a template; no agent starts. Others may create tasks meanwhile: all else
 * that it reads changes only in transactions that are alone, or about the same tasks.
 */
export async function createIn(tx: Tx, wanted: Wanted, actor: Actor): Promise<Result<Created>> {
  const project = await findProject(tx, wanted.projectId);
  if (project === null) return refuse('not_found', `There is no project ${wanted.projectId}.`);
  const pipeline = await choosePipeline(tx, project, wanted);
  if (!pipeline.ok) return pipeline;
  const parent = await judgeParent(tx, { projectId: project.id, parentTaskId: wanted.parentTaskId ?? null });
  if (!parent.ok) return parent;
  const first = await findTasksOf(tx, project.id, wanted.dependsOn ?? []);
  if (!first.ok) return first;
  // In this order: who has a number has the project's row, and sees the places of all who had it before.
  const [key, sortOrder] = await Promise.all([nextTaskKey(tx, project.id), lastPlace(tx, project.id)]);
  const started = newTask(wanted, { pipeline: pipeline.value, sortOrder, now: transactionTime(tx) });
  const task = await insertTask(tx, started, wanted.overrides ?? {}, key);
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
  return done({ task, pipeline: pipeline.value, project });
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
  if (parent.id === wish.taskId) return refuse('invalid', "A task can't be its own parent.");
  if (parent.parentTaskId !== null)
    return refuse('invalid', `${parent.key} is a subtask itself: subtasks have no subtasks of their own.`);
  const [child] = wish.taskId === undefined ? [] : await listTasks(db, { parentTaskId: wish.taskId, limit: 1 });
  return child === undefined
    ? done(null)
    : refuse('invalid', `The task has subtasks (${child.key}): it can't become one itself.`);
}

type Start = { readonly pipeline: PipelineDefinition; readonly sortOrder: number; readonly now: string };

function newTask(input: Wanted, { pipeline, sortOrder, now }: Start): Omit<Task, 'key'> {
  const said = storedFields().map(([name, field]) => [name, firstValue(field, Reflect.get(input, name))]);
  const fields: StoredTaskFields = Object.fromEntries(said);
  return {
    ...fields,
    id: input.id,
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
