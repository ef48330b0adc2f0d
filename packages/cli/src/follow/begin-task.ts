import { firstWay } from '@attractor/pipeline';
import type { NewTask, PlatformWorkflow, Project, RunOverrides, Task } from '@attractor/platform';
import { CommandFailure, EXIT, unwrap } from '@attractor/console';

export const ACTOR = { type: 'user', name: 'terminal' } as const;

/** A new task of this repository, or one that was left. */
export type Wanted =
  | {
      readonly kind: 'new';
      readonly task: Omit<NewTask, 'projectId' | 'pipelineId'>;
      readonly pipelineId: string;
      /** The agent begins with the work, without a plan. */
      readonly straight: boolean;
    }
  | { readonly kind: 'resume'; readonly key: string; readonly overrides: RunOverrides };

/** `onTask` is called before anything of it starts. */
export type Beginning = {
  readonly wanted: Wanted;
  readonly project: Project;
  readonly onTask: (taskId: string) => void;
};

/** The task with its first agent queued, or with the next one if it was stopped or failed. */
export async function beginTask(workflow: PlatformWorkflow, { wanted, project, onTask }: Beginning): Promise<Task> {
  if (wanted.kind === 'resume') return takeUp(workflow, wanted, onTask);
  const { task: fields, pipelineId, straight } = wanted;
  await requirePipeline(workflow, pipelineId);
  const task = unwrap(await workflow.createTask({ ...fields, projectId: project.id, pipelineId }, ACTOR));
  onTask(task.id);
  return start(workflow, task, straight);
}

/** Some come with later versions, or were removed. */
export async function requirePipeline(workflow: Pick<PlatformWorkflow, 'getPipeline'>, id: string): Promise<void> {
  if ((await workflow.getPipeline(id)) !== null) return;
  throw new CommandFailure(
    `there is no pipeline "${id}" in this home. See \`attractor pipelines list\`; without the flag the task takes "coding".`,
    EXIT.notFound,
  );
}

async function start(workflow: PlatformWorkflow, task: Task, straight: boolean): Promise<Task> {
  const pipeline = await workflow.getPipeline(task.pipelineId, task.pipelineVersion);
  const options = await workflow.validTransitions(task.id);
  const to = pipeline === null ? null : firstWay({ pipeline, options }, { straight });
  if (to === null) throw new CommandFailure(`no agent can begin with ${task.key} from ${task.status}.`, EXIT.refused);
  return unwrap(await workflow.transition({ taskId: task.id, to }, ACTOR));
}

type Resumed = Extract<Wanted, { kind: 'resume' }>;

async function takeUp(
  workflow: PlatformWorkflow,
  { key, overrides }: Resumed,
  onTask: (taskId: string) => void,
): Promise<Task> {
  const found = unwrap(await workflow.findId({ given: key, kinds: ['tsk'] }));
  const task = found === null ? null : await workflow.getTask(found.id);
  if (task === null) throw new CommandFailure(`there is no task ${key}. See \`attractor tasks list\`.`, EXIT.notFound);
  const [stated] = await workflow.taskStates([task.id]);
  const kind = stated?.state.kind ?? 'open';
  if (OVER.has(kind))
    throw new CommandFailure(
      `${task.key} is over: ${stated?.state.label ?? task.status}. Take it back first: attractor tasks reopen ${task.key}`,
      EXIT.refused,
    );
  onTask(task.id);
  if (kind === 'open') return start(workflow, task, false);
  if (!IDLE.has(kind)) return task;
  const [last] = (await workflow.listRuns({ taskId: task.id })).toSorted((a, b) =>
    a.startedAt < b.startedAt ? 1 : -1,
  );
  const mode = last?.mode ?? 'implement';
  unwrap(await workflow.startAgent({ taskId: task.id, mode, overrides, along: 'pipeline' }, ACTOR));
  return task;
}

const OVER: ReadonlySet<string> = new Set(['accepted', 'merged', 'closed']);
/** Nobody works on it, and nobody was asked. */
const IDLE: ReadonlySet<string> = new Set(['stopped', 'failed']);
