import { done } from '@attractor/base';
import { isRunMode, moveTo, startRun } from '@attractor/pipeline';
import {
  type Actor,
  type AgentRunMode,
  appendEvents,
  findRun,
  findRunRequest,
  type PipelineDefinition,
  type Prompt,
  type PromptAnswer,
  type PromptOf,
  type Result,
  type Task,
  type Trigger,
  type Tx,
  updateTask,
} from '@attractor/store';
import { splitIn } from '../tasks/split.ts';
import { chosenSubtasks } from './chosen-subtasks.ts';
import { refuseAtWork } from '../tasks/at-work.ts';

/** Who answers, and which agent works if a run says nothing else. */
export type Answering = { readonly actor: Actor; readonly defaultAgentType: string };

type Answered = {
  readonly task: Task;
  readonly pipeline: PipelineDefinition;
  readonly prompt: Prompt;
  readonly answer: PromptAnswer;
};

/** What an answer sets going: its text for later agents, then the transition that it leads to, or the agent's next run. */
export async function followAnswer(tx: Tx, answered: Answered, by: Answering): Promise<Result<Task>> {
  const { prompt, answer, pipeline } = answered;
  await tellLaterAgents(tx, answered, by.actor);
  await tellOfReview(tx, answered, by.actor);
  const task = await withEditedPlan(tx, answered, by.actor);
  const to = targetOf(prompt, answer);
  const mode = 'again' in prompt.payload ? prompt.payload.again : undefined;
  if (prompt.type === 'split_proposal' && answer.decision === 'approve')
    return split(tx, { ...answered, task, prompt, to, mode: isRunMode(mode) ? mode : null }, by);
  if (to !== null) return move(tx, { task, pipeline, prompt, answer, to }, by);
  return isRunMode(mode) ? workOn(tx, { task, prompt, mode }, by) : done(task);
}

type Split = Omit<Answered, 'prompt'> & {
  readonly prompt: PromptOf<'split_proposal'>;
  readonly to: string | null;
  readonly mode: AgentRunMode | null;
};

/** First where the answer leads, if the pipeline says so: a task that moves on waits for nothing. Then the subtasks. */
async function split(tx: Tx, { to, mode, ...answered }: Split, by: Answering): Promise<Result<Task>> {
  const { prompt, answer, pipeline } = answered;
  const moved = to === null ? done(answered.task) : await move(tx, { ...answered, to }, by);
  if (!moved.ok) return moved;
  const subtasks = chosenSubtasks(prompt.payload, answer);
  const made = await splitIn(tx, { task: moved.value, pipeline, subtasks, runId: prompt.runId, mode }, by);
  return made.ok ? moved : made;
}

/** A person's judgement of a change, or of the parts that an agent would split the task into. */
async function tellOfReview(tx: Tx, { task, prompt, answer }: Answered, actor: Actor): Promise<void> {
  if (prompt.type === 'split_proposal' && answer.decision !== 'approve') {
    const of = { projectId: task.projectId, taskId: task.id, runId: prompt.runId, actor };
    await appendEvents(tx, [{ ...of, type: 'split.rejected', summary: `${answer.decision}: ${prompt.title}` }]);
  }
  if (prompt.type !== 'review') return;
  const isSplit = prompt.payload.proposedPhases !== undefined;
  const split = answer.decision === 'approve' ? 'split.approved' : 'split.rejected';
  const summary = `${answer.decision}: ${prompt.title}`;
  const of = { projectId: task.projectId, taskId: task.id, runId: prompt.runId, actor, summary };
  await appendEvents(tx, [{ ...of, type: isSplit ? split : 'review.submitted' }]);
}

/** Where the answer leads: by the chosen option if each has a way of its own, else by the decision. */
export function targetOf({ payload }: Prompt, { decision, answers = [] }: PromptAnswer): string | null {
  const ways = 'ways' in payload ? payload.ways : undefined;
  const said = answers.at(0)?.answer;
  const option =
    'options' in payload ? payload.options?.find(({ id, label }) => said === id || said === label)?.id : undefined;
  const to =
    (option === undefined ? undefined : ways?.[option]) ?? ('answers' in payload ? payload.answers?.[decision] : null);
  return typeof to === 'string' ? to : null;
}

/** By hand or, where several transitions were open to an agent's report, by that report. */
async function move(tx: Tx, answered: Answered & { readonly to: string }, by: Answering): Promise<Result<Task>> {
  const { prompt, answer, ...on } = answered;
  const cause = { ...by, reason: answer.message ?? answer.decision, payload: answer };
  const byHand = await moveTo(tx, on, { ...cause, trigger: { type: 'manual' } });
  const run = byHand.ok || prompt.runId === null ? null : await findRun(tx, prompt.runId);
  if (run === null || !('ways' in prompt.payload)) return byHand;
  const trigger: Trigger =
    run.outcome === null ? { type: 'agent_error' } : { type: 'agent_outcome', outcome: run.outcome };
  const byReport = await moveTo(tx, on, { ...cause, trigger });
  return byReport.ok ? byReport : byHand;
}

/** Nothing in the pipeline leads on: the agent that asked is started anew where the task stands, and is told the answer. */
async function workOn(
  tx: Tx,
  { task, prompt, mode }: { readonly task: Task; readonly prompt: Prompt; readonly mode: AgentRunMode },
  by: Answering,
): Promise<Result<Task>> {
  const atWork = await refuseAtWork(tx, task.id);
  if (atWork !== null) return atWork;
  const { hookParams, overrides } =
    prompt.runId === null ? { hookParams: {}, overrides: {} } : await findRunRequest(tx, prompt.runId);
  await startRun(tx, { task, mode, hookParams, overrides, ...by });
  return done(task);
}

/** A person may correct the plan while approving it; the corrected plan is what gets done. */
async function withEditedPlan(tx: Tx, { task, prompt, answer }: Answered, actor: Actor): Promise<Task> {
  if (prompt.type !== 'plan_approval' || answer.plan === undefined || answer.plan === task.plan) return task;
  const edited = await updateTask(tx, task, { plan: answer.plan });
  if (edited === null) return task;
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      type: 'field.updated',
      summary: 'The plan was edited',
      data: { task: edited, field: 'plan' },
      actor,
    },
  ]);
  return edited;
}

function toldAs({ type }: Prompt, { decision }: PromptAnswer) {
  if (type === 'question') return 'info.provided';
  if (type === 'options') return 'option.selected';
  if (type === 'split_proposal') return decision === 'approve' ? null : 'changes.requested';
  if (type === 'plan_approval' && decision === 'approve') return 'plan.approved';
  return decision === 'changes' ? 'changes.requested' : null;
}

const ONE_PIECE = 'The task is not split: do it in one piece.';

async function tellLaterAgents(tx: Tx, { task, prompt, answer }: Answered, actor: Actor): Promise<void> {
  const type = toldAs(prompt, answer);
  if (type === null) return;
  const { message, answers } = answer;
  const isWhole = prompt.type === 'split_proposal' && answer.decision === 'reject';
  await appendEvents(tx, [
    {
      projectId: task.projectId,
      taskId: task.id,
      runId: prompt.runId,
      type,
      summary: message ?? `${type === 'plan.approved' ? 'A person approved' : 'A person answered'}: ${prompt.title}`,
      data: { message: message ?? '', answers: answers ?? [], ...(isWhole ? { summary: ONE_PIECE } : {}) },
      actor,
    },
  ]);
}
