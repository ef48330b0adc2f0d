import { done } from '@attractor/base';
import { type AgentSources, findAgent } from '@attractor/project-config';
import {
  type Actor,
  type AgentRun,
  appendEvents,
  closePrompt,
  findProject,
  findTask,
  insertMessage,
  listPrompts,
  listRuns,
  listSteps,
  type Reader,
  refuse,
  type Result,
  type Store,
  type TaskMessage,
  type Tx,
} from '@attractor/store';
import { tellOfPrompt } from '@attractor/pipeline';
import type { MessageCommands, MessageDelivery, SentMessage } from './contract.ts';

const MAX_MESSAGE = 50_000;

export type MessageServices = Omit<AgentSources, 'projectPath'> & { readonly store: Store };

export function sendMessage(
  { store, ...sources }: MessageServices,
  input: Parameters<MessageCommands['sendMessage']>[0],
  actor: Actor,
): Promise<Result<SentMessage>> {
  return store.transact(async (tx) => {
    const task = await findTask(tx, input.taskId);
    if (task === null) return refuse('not_found', `There is no task ${input.taskId}.`);
    const text = input.text.trim();
    if (text === '') return refuse('invalid', 'The message is empty.');
    if (text.length > MAX_MESSAGE)
      return refuse('invalid', `A message may have at most ${MAX_MESSAGE} characters: attach a file instead.`);
    const interrupts = input.interrupts === true;
    const run = await runThatHears(tx, task.id);
    if (interrupts && run === null)
      return refuse(
        'conflict',
        'No agent is at work on this task, so there is nothing to interrupt: send the message without interrupting.',
      );
    const message = await insertMessage(tx, { taskId: task.id, text, interrupts, author: actor });
    await appendEvents(tx, [
      {
        projectId: task.projectId,
        taskId: task.id,
        runId: run?.id ?? null,
        type: 'message.sent',
        summary: text.length <= 200 ? text : `${text.slice(0, 199)}…`,
        data: { messageId: message.id, text, interrupts },
        actor,
      },
    ]);
    if (interrupts && run !== null) await refuseQuestions(tx, { run, message }, actor);
    return done({ message, delivery: await deliveryTo(tx, run, sources) });
  });
}

/** The run whose agent still works, or will. */
async function runThatHears(db: Reader, taskId: string): Promise<AgentRun | null> {
  const [run] = await listRuns(db, { taskId, status: 'running' });
  if (run === undefined) return null;
  const steps = await listSteps(db, run.id);
  return steps.some(({ step, ok }) => step === 'execute' || !ok) ? null : run;
}

async function deliveryTo(
  db: Reader,
  run: AgentRun | null,
  sources: Omit<AgentSources, 'projectPath'>,
): Promise<MessageDelivery> {
  if (run === null) return 'next_run';
  const project = await findProject(db, run.projectId);
  const agent = await findAgent({ ...sources, projectPath: project?.path ?? null }, run.agentType);
  return agent.ok && agent.value.steer !== undefined ? 'between_rounds' : 'after_turn';
}

type Interrupting = { readonly run: AgentRun; readonly message: TaskMessage };

/** An agent that waits for leave to run something is answered: not that, but what the message says. */
async function refuseQuestions(tx: Tx, { run, message }: Interrupting, actor: Actor): Promise<void> {
  const pending = await listPrompts(tx, { runId: run.id, status: 'pending' });
  for (const prompt of pending.filter(({ type }) => type === 'tool_approval')) {
    const closed = await closePrompt(tx, prompt, { answer: { decision: 'reject', message: message.text } });
    if (closed === null) continue;
    const summary = `Answered by a message: ${prompt.title}`;
    await tellOfPrompt(tx, closed, { projectId: run.projectId, actor, type: 'prompt.answered', summary });
  }
}
