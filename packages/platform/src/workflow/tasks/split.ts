import { defined, done } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { autoRun, readSplit, withdrawPrompts } from '@attractor/pipeline';
import {
  type Actor,
  type AgentRunMode,
  appendEvents,
  findOpenSplit,
  insertSplit,
  listPrompts,
  listTasks,
  type NewSubtask,
  type PipelineDefinition,
  refuse,
  type Result,
  type Split,
  type Store,
  type Task,
  type Tx,
} from '@attractor/store';
import { createIn, findTaskAndPipeline } from './tasks.ts';
import { refuseAtWork } from './at-work.ts';

export type SplitCommand = { readonly taskId: string; readonly subtasks: ReadonlyArray<NewSubtask> };

type By = { readonly actor: Actor; readonly defaultAgentType: string };

/** The most subtasks that a task has in all. */
const MOST_IN_ALL = 50;

/** A person splits a task that no agent works on. What they were asked about another split is answered by this. */
export function splitTask(store: Store, { taskId, subtasks }: SplitCommand, by: By): Promise<Result<Split>> {
  const { actor } = by;
  return store.transact(async (tx) => {
    const found = await findTaskAndPipeline(tx, taskId);
    if (!found.ok) return found;
    const { task } = found.value;
    const atWork = await refuseAtWork(tx, taskId);
    if (atWork !== null) return atWork;
    const asked = await listPrompts(tx, { taskId, status: 'pending' });
    const other = asked.find(({ type }) => type !== 'split_proposal');
    if (other !== undefined)
      return refuse('blocked', `The task waits for an answer: attractor prompts get ${other.key}`, { prompt: other });
    await withdrawPrompts(tx, { taskId, only: () => true }, { projectId: task.projectId, actor });
    return splitIn(tx, { ...found.value, subtasks, runId: null, mode: null }, by);
  });
}

/** `mode`: the agent that is started when every subtask is settled. */
type Wish = {
  readonly task: Task;
  readonly pipeline: PipelineDefinition;
  readonly subtasks: ReadonlyArray<NewSubtask>;
  readonly runId: Split['runId'];
  readonly mode: AgentRunMode | null;
};

/** Makes the subtasks with their dependencies, and lets the task wait for them: all of it or nothing, in the caller's transaction. */
export async function splitIn(tx: Tx, wish: Wish, by: By): Promise<Result<Split>> {
  const { task, pipeline, runId, mode } = wish;
  const { actor } = by;
  const read = readSplit(wish.subtasks);
  if ('problem' in read) return refuse('invalid', read.problem);
  const refused = await judgeSplit(tx, { task, pipeline, count: read.subtasks.length });
  if (refused !== null) return refused;
  const made: Array<Split['subtasks'][number]> = [];
  for (const { name, title, dependsOn = [], agentType, ...fields } of read.subtasks) {
    const first = made.flatMap((one) => (dependsOn.includes(one.name) ? [one.taskId] : []));
    const own = { projectId: task.projectId, parentTaskId: task.id, title, dependsOn: first, ...fields };
    const overrides = defined({ agentType });
    const created = await createIn(tx, { ...own, id: newId('tsk'), overrides, priority: task.priority }, actor);
    if (!created.ok) return refuse(created.error.code, `Subtask "${name}": ${created.error.message}`);
    made.push({ name, title, taskId: created.value.task.id, key: created.value.task.key });
  }
  for (const { taskId } of made) await startByItself(tx, taskId, by);
  const split = await insertSplit(tx, { taskId: task.id, runId, mode, subtasks: made });
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      runId,
      type: 'split.approved',
      summary: `Split into ${made.map(({ title }) => `"${title}"`).join(', ')}`,
      data: { taskIds: made.map(({ taskId }) => taskId) },
      actor,
    },
  ]);
  return done(split);
}

/** Where the project's `autoRun` says so, as for every new task. */
async function startByItself(tx: Tx, taskId: string, by: By): Promise<void> {
  const found = await findTaskAndPipeline(tx, taskId);
  if (found.ok) await autoRun(tx, found.value, by);
}

type Judged = { readonly task: Task; readonly pipeline: PipelineDefinition; readonly count: number };

async function judgeSplit(tx: Tx, { task, pipeline, count }: Judged): Promise<ReturnType<typeof refuse> | null> {
  if (task.parentTaskId !== null)
    return refuse('invalid', `${task.key} is a subtask itself: subtasks have no subtasks of their own.`);
  if (pipeline.terminalStatuses.includes(task.status))
    return refuse('blocked', `The task is "${task.status}": reopen it first (attractor tasks reopen ${task.key}).`);
  const open = await findOpenSplit(tx, task.id);
  if (open !== null)
    return refuse(
      'conflict',
      `The task is already waiting for its subtasks: ${open.subtasks.map(({ key }) => key).join(', ')}.`,
    );
  const has = (await listTasks(tx, { parentTaskId: task.id, limit: MOST_IN_ALL })).length;
  if (has + count <= MOST_IN_ALL) return null;
  return refuse('invalid', `A task has at most ${MOST_IN_ALL} subtasks in all; this one already has ${has}.`);
}
