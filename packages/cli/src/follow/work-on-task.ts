import type { PlatformEvent, PlatformWorkflow, Prompt, PromptAnswer, Task } from '@attractor/platform';
import { type CtrlC, startStatusLine, type StatusLine, type Style, readableText } from '@attractor/console';
import { fileLines } from '@attractor/console/lines';
import { eventLines } from './event-lines.ts';
import { followTask } from './follow-task.ts';
import { createTaskProgress } from './task-progress.ts';

/** What to answer in place of a person, or 'ask' the person here, or 'leave' it to someone elsewhere. */
export type AnswerPolicy = (prompt: Prompt) => PromptAnswer | 'ask' | 'leave';

export type LastReview = {
  readonly isLast: (prompt: Prompt) => boolean;
  readonly base: string;
  /** Shows what was done, before it is asked about. */
  readonly tell: () => Promise<void>;
};

export type FollowTaskOptions = {
  readonly taskId: string;
  readonly answering: AnswerPolicy;
  readonly style: Style;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
  /** Of a person who may say something to the agent. Absent: leaving a question leaves it to others. */
  readonly ctrlC?: CtrlC;
  /** What a person decides here at the end. Absent: the last review is for later. */
  readonly last?: LastReview;
  /** Shows an event in place of the lines for people. */
  readonly show?: (event: PlatformEvent) => void;
};

type Following = FollowTaskOptions & { readonly workflow: PlatformWorkflow; readonly line: StatusLine | null };

/** Shows a task's progress and handles its questions, until nothing more happens by itself. */
export async function workOnTask(workflow: PlatformWorkflow, options: FollowTaskOptions): Promise<Task | null> {
  const { taskId, style, write, signal, ctrlC, show, last } = options;
  const progress = createTaskProgress();
  const line = show === undefined ? startStatusLine(process.stdout, process.env, progress.words) : null;
  const stopHearing = workflow.onDelta((delta) => {
    if (delta.taskId === taskId) progress.hear(delta);
  });
  const following: Following = { ...options, workflow, line };
  try {
    return await followTask(workflow, {
      taskId,
      signal,
      asksLast: last !== undefined,
      ...(ctrlC === undefined ? {} : { onWake: ctrlC.onAsk }),
      front: {
        show: (event) => {
          progress.see(event);
          if (show === undefined) eventLines(event, style).forEach((text) => write(`${text}\n`));
          else show(event);
        },
        ask: (prompt) => answer(prompt, following),
        ...(ctrlC === undefined ? {} : { interrupted: () => deal(ctrlC, following) }),
      },
    });
  } finally {
    stopHearing();
    line?.stop();
  }
}

async function deal(ctrlC: CtrlC, { workflow, taskId, write, line }: Following): Promise<void> {
  if (!ctrlC.isAsked()) return;
  const [{ steer }, { askText }] = await Promise.all([import('./steer.ts'), import('@attractor/console')]);
  await held(line, () =>
    steer({ workflow, taskId, ctrlC, write, text: (message) => askText({ message, signal: ctrlC.signal }) }),
  );
}

async function answer(prompt: Prompt, following: Following): Promise<'answered' | 'left' | 'again'> {
  const { workflow, answering, write, ctrlC, signal } = following;
  if (following.last?.isLast(prompt) === true) return decideLast(prompt, following, following.last);
  const chosen = answering(prompt);
  if (chosen === 'leave') return 'left';
  const elsewhere = watchPrompt(workflow, { prompt, signal });
  const given =
    chosen === 'ask' ? await held(following.line, () => askHere(prompt, elsewhere.signal, following)) : chosen;
  elsewhere.stop();
  if (elsewhere.isClosed()) {
    write(`    ${await whoAnswered(workflow, prompt)}\n`);
    return 'answered';
  }
  if (signal.aborted) return 'left';
  if (given === null) {
    ctrlC?.ask();
    return ctrlC === undefined ? 'left' : 'again';
  }
  const { id: promptId, contentHash } = prompt;
  const result = await workflow.answerPrompt(
    { promptId, contentHash, answer: given },
    { type: 'user', name: 'terminal' },
  );
  if (result.ok) return 'answered';
  write(`    ${result.error.message}\n`);
  const isOpen = (await workflow.getPrompt(promptId))?.status === 'pending';
  return isOpen ? (chosen === 'ask' ? 'again' : 'left') : 'answered';
}

/** Whoever leaves this question decides later: no agent is at work that could be told something. */
async function decideLast(
  prompt: Prompt,
  following: Following,
  { base, tell }: LastReview,
): Promise<'answered' | 'left' | 'again'> {
  const { workflow, write, signal, line } = following;
  const [{ askLastReview }, { settleReview }, { ownTerminal }] = await Promise.all([
    import('./ask-last-review.ts'),
    import('./settle-review.ts'),
    import('../approval/own-terminal.ts'),
  ]);
  const elsewhere = watchPrompt(workflow, { prompt, signal });
  const diff = () => changeOf(prompt.taskId, following);
  const decision = await held(line, async () => {
    await tell();
    return askLastReview(ownTerminal(elsewhere.signal), { prompt, base, diff });
  });
  elsewhere.stop();
  if (elsewhere.isClosed()) {
    write(`    ${await whoAnswered(workflow, prompt)}\n`);
    return 'answered';
  }
  if (signal.aborted) return 'left';
  const settled = await settleReview(workflow, prompt, decision);
  if (settled.line !== null) write(`    ${readableText(settled.line)}\n`);
  return settled.how;
}

async function changeOf(taskId: string, { workflow, style }: Following): Promise<string> {
  const change = await workflow.diff({ taskId });
  if (!change.ok) return readableText(change.error.message);
  return change.value.files.flatMap((file) => fileLines(file, style)).join('\n');
}

async function held<Value>(line: StatusLine | null, work: () => Promise<Value>): Promise<Value> {
  line?.hold();
  try {
    return await work();
  } finally {
    line?.goOn();
  }
}

async function askHere(prompt: Prompt, signal: AbortSignal, following: Following): Promise<PromptAnswer | null> {
  const { ctrlC, write } = following;
  const [{ askPerson }, { editText }] = await Promise.all([import('./ask-person.ts'), import('@attractor/console')]);
  const edit = async (text: string, name: string): Promise<string | null> => {
    const editing = () => editText(text, { name, env: process.env });
    const left = await (ctrlC === undefined ? editing() : ctrlC.during(editing));
    if (!left.ok) write(`    ${left.error.message}\n`);
    return left.ok ? left.value : null;
  };
  return askPerson(prompt, { signal, edit, diff: () => changeOf(prompt.taskId, following) });
}

/** Its signal is aborted when somebody else answered, nobody needs the answer any more, or the work stops. */
function watchPrompt(
  workflow: PlatformWorkflow,
  { prompt: { id }, signal }: { readonly prompt: Prompt; readonly signal: AbortSignal },
) {
  const closed = new AbortController();
  const look = async (): Promise<void> => {
    if ((await workflow.getPrompt(id))?.status !== 'pending') closed.abort();
  };
  // The next change makes up for a failed look.
  const stop = workflow.subscribe(() => void look().catch(() => undefined));
  return { signal: AbortSignal.any([closed.signal, signal]), isClosed: () => closed.signal.aborted, stop };
}

async function whoAnswered(workflow: PlatformWorkflow, { id, taskId }: Prompt): Promise<string> {
  const prompt = await workflow.getPrompt(id);
  if (prompt?.status !== 'answered') return 'No longer asked: the task has gone on without it.';
  const events = await workflow.events({ taskId, type: 'prompt.answered', from: 'newest', limit: 20 });
  const told = events.findLast((event) => event.type === 'prompt.answered' && event.data.prompt.id === id);
  const who = told?.actor.name ?? told?.actor.type ?? 'somebody';
  return `Answered elsewhere, by ${who}: ${prompt.answer?.decision ?? 'answered'}.`;
}
