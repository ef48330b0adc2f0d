import { setTimeout as sleep } from 'node:timers/promises';
import type { PlatformEvent, PlatformWorkflow, Project, Prompt, Workflow } from '@attractor/platform';
import type { ComposedServer } from '@attractor/server';
import { CommandFailure, EXIT, unwrap, type CtrlC, putStyled, createStyle } from '@attractor/console';
import { ACTOR, beginTask, type Wanted } from './begin-task.ts';
import { isLastReview } from './last-review.ts';
import { endLines, type Outcome, readOutcome, summaryLines } from './summary.ts';
import { type AnswerPolicy, type LastReview, workOnTask } from './work-on-task.ts';

export type Work = {
  readonly wanted: Wanted;
  readonly project: Project;
  /** A person is at this terminal. */
  readonly attended: boolean;
  readonly approvePlan: boolean;
  /** The plan is the end: it waits for somebody. */
  readonly planOnly: boolean;
  /** What became of it is decided here, by whoever is at this terminal. */
  readonly asksLast: boolean;
  /** The end of this command is a question of its own. */
  readonly isAsked: boolean;
  readonly ctrlC: CtrlC;
  /** Called before anything of it starts. */
  readonly onTask: (taskId: string) => void;
  /** Gets every event in place of the lines for people. */
  readonly show?: (event: PlatformEvent) => void;
};

/** One task of one repository, from its beginning or from where it was left to its review, shown live on this terminal. */
export async function carryOut(server: ComposedServer, work: Work): Promise<Outcome> {
  const { workflow } = server;
  const { ctrlC, show, attended, asksLast, planOnly, isAsked, project } = work;
  const task = await beginTask(workflow, work);
  const pipeline = await workflow.getPipeline(task.pipelineId, task.pipelineVersion);
  const isLast = (prompt: Prompt): boolean => isLastReview(prompt, pipeline);
  const answering: AnswerPolicy = (prompt) => (isLast(prompt) ? 'leave' : answerFor(prompt, work));
  return followToEnd(server, {
    taskId: task.id,
    answering,
    signal: ctrlC.signal,
    planOnly,
    isAsked,
    ...(asksLast ? { last: { isLast, base: project.defaultBranch } } : {}),
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
  readonly planOnly?: boolean;
  readonly isAsked?: boolean;
  readonly last?: Pick<LastReview, 'isLast' | 'base'>;
};

/** Follows a task that is under way, and ends with its summary. */
export async function followToEnd(server: ComposedServer, following: FollowedToEnd): Promise<Outcome> {
  const { taskId, signal, show, ctrlC, planOnly = false, isAsked = false } = following;
  const { workflow } = server;
  const style = createStyle(process.stdout, process.env);
  const write = (text: string): void => void (show === undefined && putStyled(process.stdout, text));
  write(`${style.dim('Watch it in a browser:')} ${server.signInUrl(`/tasks/${taskId}`)}\n`);
  const { last, ...rest } = following;
  let toldRuns = 0;
  const tell = async (): Promise<void> => {
    const finished = await readOutcome(workflow, taskId);
    // Asked again about the same work, nobody wants to read it all again.
    if (finished === null || finished.runs.length === toldRuns) return;
    write(`${summaryLines(finished, style).join('\n')}\n`);
    toldRuns = finished.runs.length;
  };
  const asked = last === undefined ? {} : { last: { ...last, tell } };
  await workOnTask(workflow, { ...rest, ...asked, style, write });
  const stopped = signal.aborted ? await stopWork(workflow, taskId) : null;
  const outcome = await readOutcome(workflow, taskId);
  if (outcome === null) throw new CommandFailure(`the task ${taskId} is gone.`, EXIT.notFound);
  const isTold = toldRuns === outcome.runs.length;
  const ending = { style, attended: ctrlC !== undefined, stopped, planOnly, isTold, isAsked };
  write(`${endLines(outcome, ending).join('\n')}\n`);
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
  return `Denied: ${prompt.title} needs a person's approval, and nobody is at a terminal. Continue without it, or report what you need.`;
}

export async function ensureProject(workflow: Workflow, path: string): Promise<Project> {
  const known = (await workflow.listProjects()).find((project) => project.path === path);
  return known ?? unwrap(await workflow.createProject({ path }, ACTOR));
}
