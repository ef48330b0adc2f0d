import { done } from '@attractor/base';
import { raiseBudget } from '@attractor/run';
import { tellOfPrompt } from '@attractor/pipeline';
import {
  closePrompt,
  PROMPT_TYPES,
  findPrompt,
  listPrompts,
  type GivenAnswer,
  type Prompt,
  type PromptAnswer,
  refuse,
  type Result,
  type Store,
  taskKeyOf,
  type Tx,
} from '@attractor/store';
import { findTaskAndPipeline } from '../tasks/tasks.ts';
import { judgeApprover } from '../tasks/another-person.ts';
import { type Answering, followAnswer } from './follow-answer.ts';
import { problemOf } from './judge-answers.ts';
import { readAnswer } from './read-answer.ts';

export type AnswerCommand = { readonly promptId: string; readonly contentHash?: string; readonly answer: GivenAnswer };

/**
 * One transaction: the answer, its text for later agents, and the transition that follows. The first answer counts; an answer for other
 * content, or whose transition is blocked, is refused and changes nothing.
 */
export function answerPrompt(store: Store, command: AnswerCommand, by: Answering): Promise<Result<Prompt>> {
  return store.transact((tx) => answerIn(tx, command, by));
}

/** The same within a transaction of the caller. */
export async function answerIn(
  tx: Tx,
  { promptId, contentHash, answer: given }: AnswerCommand,
  by: Answering,
): Promise<Result<Prompt>> {
  const prompt = await findPrompt(tx, promptId);
  if (prompt === null) return refuse('not_found', `There is no prompt ${promptId}.`);
  if (prompt.status !== 'pending') return refuseLate(tx, prompt);
  const judged = judgeAnswer(prompt, { contentHash, given });
  if (!judged.ok) return judged;
  const answer = judged.value;
  const found = await findTaskAndPipeline(tx, prompt.taskId);
  if (!found.ok) return found;
  const refused =
    answer.decision === 'approve'
      ? await judgeApprover(tx, { task: found.value.task, runId: prompt.runId }, by.actor)
      : null;
  if (refused !== null) return refused;
  const closed = await closePrompt(tx, prompt, { answer });
  if (closed === null) return refuse('conflict', 'The prompt has already been answered.', { prompt });
  await tellOfPrompt(tx, closed, {
    projectId: found.value.task.projectId,
    actor: by.actor,
    type: 'prompt.answered',
    summary: `Answered (${answer.decision}): ${prompt.title}`,
  });
  if (closed.type === 'tool_approval') return done(closed);
  if (closed.type === 'budget') {
    await raiseBudget(tx, closed, { projectId: found.value.task.projectId, actor: by.actor });
    return done(closed);
  }
  const moved = await followAnswer(tx, { ...found.value, prompt: closed, answer }, by);
  return moved.ok ? done(closed) : moved;
}

/** Says what happened to the question, and what is asked in its place. */
async function refuseLate(tx: Tx, prompt: Prompt): Promise<Result<Prompt>> {
  const { status, answer, answeredAt, taskId } = prompt;
  const end =
    status === 'answered'
      ? `The prompt has already been answered: ${answer?.decision ?? 'answered'} at ${answeredAt ?? 'another time'}.`
      : `The prompt is already ${status}: the task has moved on, or what it showed has changed.`;
  const [next] = await listPrompts(tx, { taskId, status: 'pending' });
  const now =
    next === undefined
      ? `See the task's state: attractor tasks get ${taskKeyOf(prompt)}`
      : `What is asked now: attractor prompts get ${next.key}`;
  return refuse('conflict', `${end} ${now}`, { prompt });
}

type Given = { readonly contentHash: string | undefined; readonly given: GivenAnswer };

/** The answer as it is stored, if it fits what was asked and counts for what was shown. */
function judgeAnswer(prompt: Prompt, { contentHash, given }: Given): Result<PromptAnswer> {
  if (contentHash !== undefined && contentHash !== prompt.contentHash)
    return refuse('conflict', 'The prompt has changed: look at it again before you answer.', {
      prompt,
    });
  const possible = PROMPT_TYPES[prompt.type].decisions;
  if (possible.length === 0)
    return refuse('invalid', "This version can't read the prompt: answer it with the version that asked.");
  const read = readAnswer(prompt, given);
  if ('problem' in read) return refuse('invalid', read.problem, read.places);
  const { answer } = read;
  if (!possible.includes(answer.decision))
    return refuse(
      'invalid',
      `"${answer.decision}" is not an answer to this prompt; possible are ${possible.join(', ')}.`,
    );
  const problem = problemOf(prompt, answer);
  return problem === null ? done(answer) : refuse('invalid', problem);
}
