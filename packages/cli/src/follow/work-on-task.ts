import type { Prompt, PromptAnswer, Task, Workflow } from '@attractor/platform';
import type { Style } from '../terminal/style.ts';
import { eventLines } from './event-lines.ts';
import { followTask } from './follow-task.ts';

/** What to answer in place of a person, or 'ask' the person here, or 'leave' it to someone elsewhere. */
export type AnswerPolicy = (prompt: Prompt) => PromptAnswer | 'ask' | 'leave';

export type FollowTaskOptions = {
  readonly taskId: string;
  readonly answering: AnswerPolicy;
  readonly style: Style;
  readonly write: (text: string) => void;
  readonly signal: AbortSignal;
};

/** Shows a task's progress and handles its questions, until nothing more happens by itself. */
export function workOnTask(workflow: Workflow, following: FollowTaskOptions): Promise<Task | null> {
  const { taskId, style, write, signal } = following;
  return followTask(workflow, {
    taskId,
    signal,
    front: {
      show: (event) => eventLines(event, style).forEach((line) => write(`${line}\n`)),
      ask: (prompt) => answer(workflow, prompt, following),
    },
  });
}

async function answer(
  workflow: Workflow,
  prompt: Prompt,
  { answering, write }: FollowTaskOptions,
): Promise<'answered' | 'left'> {
  const chosen = answering(prompt);
  if (chosen === 'leave') return 'left';
  const elsewhere = watchPrompt(workflow, prompt);
  const given = chosen === 'ask' ? await askHere(prompt, elsewhere) : chosen;
  elsewhere.stop();
  if (elsewhere.signal.aborted) {
    write('    Answered elsewhere.\n');
    return 'answered';
  }
  if (given === null) return 'left';
  const result = await workflow.answerPrompt(
    { promptId: prompt.id, contentHash: prompt.contentHash, answer: given },
    { type: 'user', name: 'terminal' },
  );
  if (!result.ok) write(`    ${result.error.message}\n`);
  return 'answered';
}

async function askHere(prompt: Prompt, { signal }: ReturnType<typeof watchPrompt>): Promise<PromptAnswer | null> {
  const { askPerson } = await import('./ask-person.ts');
  return askPerson(prompt, signal);
}

/** Aborted when somebody else answered, or nobody needs the answer any more. */
function watchPrompt(workflow: Workflow, { id }: Prompt) {
  const closed = new AbortController();
  const look = async (): Promise<void> => {
    if ((await workflow.getPrompt(id))?.status !== 'pending') closed.abort();
  };
  // The next change makes up for a failed look.
  const stop = workflow.subscribe(() => void look().catch(() => undefined));
  return { signal: closed.signal, stop };
}
