import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformEvent, PlatformWorkflow, Project, Prompt, Workflow } from '@attractor/platform';
import type { ComposedServer } from '@attractor/server';
import { CommandFailure, EXIT, unwrap } from '../exit.ts';
import type { CtrlC } from '../terminal/ctrl-c.ts';
import { putStyled } from '../terminal/put.ts';
import { createStyle } from '../terminal/style.ts';
import { ACTOR, beginTask, type Wanted } from './begin-task.ts';
import { isLastReview } from './last-review.ts';
import { type Outcome, readOutcome, stoppedLines, summaryLines } from './summary.ts';
import { type AnswerPolicy, workOnTask } from './work-on-task.ts';

export type Work = {
  readonly wanted: Wanted;
  readonly project: Project;
  /** A person is at this terminal. */
  readonly attended: boolean;
  readonly approvePlan: boolean;
  /** The plan is the end: it waits for somebody. */
  readonly planOnly: boolean;
  readonly ctrlC: CtrlC;
  /** Called before anything of it starts. */
  readonly onTask: (taskId: string) => void;
  /** Gets every event in place of the lines for people. */
  readonly show?: (event: PlatformEvent) => void;
};

/** One task of one repository, from its beginning or from where it was left to its review, shown live on this terminal. */
export async function carryOut(server: ComposedServer, work: Work): Promise<Outcome> {
  const { workflow } = server;
  const { ctrlC, show, attended } = work;
  const task = await beginTask(workflow, work);
  const pipeline = await workflow.getPipeline(task.pipelineId, task.pipelineVersion);
  const answering: AnswerPolicy = (prompt) => (isLastReview(prompt, pipeline) ? 'leave' : answerFor(prompt, work));
  return followToEnd(server, {
    taskId: task.id,
    answering,
    signal: ctrlC.signal,
    ...(attended ? { ctrlC } : {}),
    ...(show === undefined ? {} : { show }),
  });
}

export type FollowedToEnd = {
  readonly taskId: string;
  readonly answering: AnswerPolicy;
  readonly signal: AbortSignal;
  readonly ctrlC?: CtrlC;
  readonly show?: (event: PlatformEvent) => void;
};

/** Follows a task that is under way, and ends with its summary. */
export async function followToEnd(server: ComposedServer, following: FollowedToEnd): Promise<Outcome> {
  const { taskId, signal, show } = following;
  const { workflow } = server;
  const style = createStyle(process.stdout, process.env);
  const write = (text: string): void => void (show === undefined && putStyled(process.stdout, text));
  write(`${style.dim('Watch it in a browser:')} ${server.signInUrl(`/tasks/${taskId}`)}\n`);
  await workOnTask(workflow, { ...following, style, write });
  const stopped = signal.aborted ? await stopWork(workflow, taskId) : null;
  const outcome = await readOutcome(workflow, taskId);
  if (outcome === null) throw new CommandFailure(`the task ${taskId} is gone.`, EXIT.notFound);
  const lines = stopped === null ? [] : stoppedLines(outcome, style, stopped);
  write(`${[...summaryLines(outcome, style), ...lines].join('\n')}\n`);
  return outcome;
}

/** Whoever ends this command ends its work too: no other process goes on with it unannounced. False: it has not ended yet. */
async function stopWork(workflow: PlatformWorkflow, taskId: string): Promise<boolean> {
  for (const run of await workflow.listRuns({ taskId, status: 'running' })) await workflow.stopAgent(run.id, ACTOR);
  for (let looks = 0; looks < STOP_LOOKS; looks += 1) {
    if ((await workflow.listRuns({ taskId, status: 'running' })).length === 0) return true;
    await sleep(STOP_LOOK_MS);
  }
  return false;
}

const STOP_LOOKS = 150;
const STOP_LOOK_MS = 100;

function answerFor(prompt: Prompt, { approvePlan, planOnly, attended }: Work): ReturnType<AnswerPolicy> {
  if (prompt.type === 'plan_approval' && planOnly) return 'leave';
  if (prompt.type === 'plan_approval' && approvePlan) return { decision: 'approve' };
  if (attended) return 'ask';
  return prompt.type === 'tool_approval' ? { decision: 'reject', message: denial(prompt) } : 'leave';
}

function denial(prompt: Prompt): string {
  return `Denied: ${prompt.title} needs a person's approval, and none is at a terminal. Go on without it, or report what you need.`;
}

export async function ensureProject(workflow: Workflow, path: string): Promise<Project> {
  const known = (await workflow.listProjects()).find((project) => project.path === path);
  return known ?? unwrap(await workflow.createProject({ path }, ACTOR));
}
