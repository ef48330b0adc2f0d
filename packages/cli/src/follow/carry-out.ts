import { setTimeout as sleep } from 'node:timers/promises';
import type { NewTask, PlatformWorkflow, Project, Prompt, Workflow } from '@attractor/platform';
import type { ComposedServer } from '@attractor/server';
import { CommandFailure, EXIT, unwrap } from '../exit.ts';
import { createStyle } from '../terminal/style.ts';
import { offerTrust } from './offer-trust.ts';
import { type Outcome, readOutcome, summaryLines } from './summary.ts';
import { type AnswerPolicy, workOnTask } from './work-on-task.ts';
import { putStyled } from '../terminal/put.ts';

export type Work = {
  readonly repository: string;
  /** Where trust is kept. */
  readonly home: string;
  readonly task: Omit<NewTask, 'projectId' | 'pipelineId'>;
  /** A person is at this terminal. */
  readonly attended: boolean;
  readonly approvePlan: boolean;
  readonly signal: AbortSignal;
  /** Called before anything of it starts. */
  readonly onTask: (taskId: string) => void;
};

const ACTOR = { type: 'user', name: 'terminal' } as const;

/** One task of one repository, from its plan to its review, shown live on this terminal. */
export async function carryOut(server: ComposedServer, work: Work): Promise<Outcome> {
  const { workflow } = server;
  const project = await ensureProject(workflow, work.repository);
  await offerTrust(workflow, { project, actor: ACTOR, home: work.home, attended: work.attended });
  const task = unwrap(await workflow.createTask({ ...work.task, projectId: project.id, pipelineId: 'coding' }, ACTOR));
  work.onTask(task.id);
  unwrap(await workflow.transition({ taskId: task.id, to: 'planning' }, ACTOR));
  return followToEnd(server, { taskId: task.id, answering: answeringFor(work), signal: work.signal });
}

/** Follows a task that is under way, and ends with its summary. */
export async function followToEnd(
  server: ComposedServer,
  input: { readonly taskId: string; readonly answering: AnswerPolicy; readonly signal: AbortSignal },
): Promise<Outcome> {
  const { taskId, answering, signal } = input;
  const style = createStyle(process.stdout, process.env);
  const write = (text: string): void => void putStyled(process.stdout, text);
  write(`${style.dim('Watch it in a browser:')} ${server.signInUrl(`/tasks/${taskId}`)}\n`);
  await workOnTask(server.workflow, { taskId, answering, style, write, signal });
  if (signal.aborted) await stopWork(server.workflow, taskId);
  const outcome = await readOutcome(server.workflow, taskId);
  if (outcome === null) throw new CommandFailure(`the task ${taskId} is gone.`, EXIT.notFound);
  write(`${summaryLines(outcome, style).join('\n')}\n`);
  return outcome;
}

/** Whoever ends this command ends its work too: no other process goes on with it unannounced. */
async function stopWork(workflow: PlatformWorkflow, taskId: string): Promise<void> {
  for (const run of await workflow.listRuns({ taskId, status: 'running' })) await workflow.stopAgent(run.id, ACTOR);
  for (let looks = 0; looks < STOP_LOOKS; looks += 1) {
    if ((await workflow.listRuns({ taskId, status: 'running' })).length === 0) return;
    await sleep(STOP_LOOK_MS);
  }
}

const STOP_LOOKS = 150;
const STOP_LOOK_MS = 100;

function answeringFor(work: Work): AnswerPolicy {
  return (prompt) => {
    if (prompt.type === 'plan_approval' && work.approvePlan) return { decision: 'approve' };
    if (work.attended) return prompt.type === 'review' ? 'leave' : 'ask';
    return prompt.type === 'tool_approval' ? { decision: 'reject', message: denial(prompt) } : 'leave';
  };
}

function denial(prompt: Prompt): string {
  return `Denied: ${prompt.title} needs a person's approval, and none is at a terminal. Go on without it, or report what you need.`;
}

export async function ensureProject(workflow: Workflow, path: string): Promise<Project> {
  const known = (await workflow.listProjects()).find((project) => project.path === path);
  return known ?? unwrap(await workflow.createProject({ path }, ACTOR));
}
