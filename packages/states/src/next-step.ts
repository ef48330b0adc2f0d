import { keyOf, offeredAnswers, type PipelineTransition, type Prompt, type PromptAnswer } from '@attractor/store';
import { shellWord } from './shell-word.ts';

/** Something that a person can do now, exactly as it is typed and as it is called. */
export type NextStep = {
  /** Names it among the steps of one task. */
  readonly id: string;
  readonly label: string;
  /** For a terminal, as it is typed. `…` stands for the person's own words. */
  readonly command: string;
  /** The same over HTTP. Null if only the machine's own terminal can do it. */
  readonly call: { readonly method: 'POST' | 'DELETE'; readonly path: string; readonly body?: unknown } | null;
};

/** What is typed by its key and called by its id. */
export type Keyed = { readonly id: string; readonly key: string };

/** Stands in a command where a person says something in their own words. */
const OWN_WORDS = '…';

export function moveStep(task: Keyed, { id, to, label }: Pick<PipelineTransition, 'id' | 'to' | 'label'>): NextStep {
  return {
    id: `move:${id}`,
    label,
    command: `attractor tasks transition ${task.key} ${shellWord(to)}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/transitions`, body: { to } },
  };
}

/** An agent goes on where the last one left off: on the same branch, told what happened so far. */
export function startStep(task: Keyed, start: { readonly mode: string; readonly label: string }): NextStep {
  return {
    id: `start:${start.mode}`,
    label: start.label,
    command: `attractor runs start ${task.key} --mode ${start.mode}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/runs`, body: { mode: start.mode, along: 'pipeline' } },
  };
}

export function reopenStep(
  task: Keyed,
  { to, label, id }: { readonly to?: string; readonly label: string; readonly id: string },
): NextStep {
  return {
    id,
    label,
    command: `attractor tasks reopen ${task.key}${to === undefined ? '' : ` --to ${shellWord(to)}`}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/reopen`, body: to === undefined ? {} : { to } },
  };
}

export function removeDependencyStep(task: Keyed, other: Keyed & { readonly title: string }): NextStep {
  return {
    id: `free:${other.id}`,
    label: `Do not wait for "${other.title}"`,
    command: `attractor deps remove ${task.key} ${other.key}`,
    call: { method: 'DELETE', path: `/api/tasks/${task.id}/dependencies/${other.id}` },
  };
}

export function stopStep(run: Keyed): NextStep {
  return {
    id: 'stop',
    label: 'Stop the agent',
    command: `attractor runs stop ${run.key}`,
    call: { method: 'POST', path: `/api/runs/${run.id}/stop` },
  };
}

export function mergeStep(task: Keyed): NextStep {
  return {
    id: 'merge',
    label: 'Merge',
    command: `attractor tasks merge ${task.key}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/merge` },
  };
}

type Subtask = Keyed & { readonly title: string };

export function mergeSubtaskStep(subtask: Subtask): NextStep {
  return { ...mergeStep(subtask), id: `merge:${subtask.id}`, label: `Merge "${subtask.title}"` };
}

export function startSubtaskStep(
  subtask: Subtask,
  start: { readonly mode: string } | { readonly move: Pick<PipelineTransition, 'id' | 'to' | 'label'> },
): NextStep {
  const label = `Start "${subtask.title}"`;
  const step =
    'mode' in start ? startStep(subtask, { mode: start.mode, label }) : { ...moveStep(subtask, start.move), label };
  return { ...step, id: `begin:${subtask.id}` };
}

/** Accepts what was shown and merges it: one act, or none. Null: it waits without a question. */
export function approveAndMergeStep(task: Keyed, asked: Prompt | null): NextStep {
  const shown = asked === null ? {} : { contentHash: asked.contentHash };
  return {
    id: 'approve_and_merge',
    label: 'Approve and merge',
    command: `attractor tasks approve ${task.key} --merge${asked === null ? '' : ` --hash ${asked.contentHash}`}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/approve`, body: { merge: true, ...shown } },
  };
}

/** Accepted work that nobody wants after all; its branch stays. */
export function closeStep(task: Keyed): NextStep {
  return {
    id: 'close',
    label: 'Close without merging',
    command: `attractor tasks close ${task.key}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/close`, body: {} },
  };
}

export function revertStep(task: Keyed): NextStep {
  return {
    id: 'revert',
    label: 'Take the merge back',
    command: `attractor tasks revert-merge ${task.key}`,
    call: { method: 'POST', path: `/api/tasks/${task.id}/revert-merge` },
  };
}

/** Null: all of it. */
export function resumeQueueStep(project: Keyed | null): NextStep {
  return {
    id: 'resume_queue',
    label: 'Resume the queue',
    command: `attractor queue resume ${project === null ? '--all' : `--project ${project.key}`}`,
    call: { method: 'POST', path: '/api/queue/resume', body: project === null ? {} : { projectId: project.id } },
  };
}

export function liftLimitStep(account: string): NextStep {
  return {
    id: 'lift_limit',
    label: 'Try now, if the account can be used again',
    command: `attractor limits lift ${shellWord(account)}`,
    call: { method: 'POST', path: `/api/provider-limits/${encodeURIComponent(account)}/lift` },
  };
}

export const WORK_STEP: NextStep = {
  id: 'work',
  label: 'Start a server that works on it',
  command: 'attractor serve',
  call: null,
};

export const BUDGETS_STEP: NextStep = {
  id: 'budgets',
  label: 'See the budgets; `budgets set` raises one',
  command: 'attractor budgets list',
  call: null,
};

export const DISK_STEP: NextStep = {
  id: 'disk',
  label: 'See what takes up space',
  command: 'attractor disk',
  call: null,
};

export const DOCTOR_STEP: NextStep = {
  id: 'doctor',
  label: 'See what is missing',
  command: 'attractor doctor',
  call: null,
};

type Decision = { readonly id: string; readonly label: string; readonly flags: string; readonly answer: PromptAnswer };

export const ANSWER_COMMAND = 'attractor prompts answer';

/** An answer is bound to what was shown by its hash. */
function answerStep(prompt: Prompt, { id: step, label, flags, answer }: Decision): NextStep {
  const { id, contentHash } = prompt;
  return {
    id: step,
    label,
    command: `${ANSWER_COMMAND} ${keyOf(prompt)} ${flags} --hash ${contentHash}`,
    call: { method: 'POST', path: `/api/prompts/${id}/answer`, body: { contentHash, answer } },
  };
}

const APPROVE: Decision = { id: 'approve', label: 'Approve', flags: '--approve', answer: { decision: 'approve' } };
const REJECT: Decision = { id: 'reject', label: 'Reject', flags: '--reject', answer: { decision: 'reject' } };
const CHANGES: Decision = {
  id: 'changes',
  label: 'Ask for changes',
  flags: `--changes --message '${OWN_WORDS}'`,
  answer: { decision: 'changes', message: OWN_WORDS },
};
const SAY: Decision = {
  id: 'answer',
  label: 'Answer',
  flags: `--message '${OWN_WORDS}'`,
  answer: { decision: 'answer', message: OWN_WORDS },
};

/** Every answer that fits the question. */
export function answerSteps(prompt: Prompt): ReadonlyArray<NextStep> {
  return decisionsOf(prompt).map((decision) => answerStep(prompt, decision));
}

function decisionsOf(prompt: Prompt): ReadonlyArray<Decision> {
  switch (prompt.type) {
    case 'plan_approval':
    case 'review': {
      const { answers } = prompt.payload;
      const judged = [APPROVE, CHANGES, REJECT];
      return answers === undefined ? judged : judged.filter(({ id }) => id in answers);
    }
    case 'split_proposal':
      return [{ ...APPROVE, label: 'Split it like this' }, CHANGES, { ...REJECT, label: 'Do it in one piece' }].filter(
        ({ id }) => prompt.payload.answers === undefined || id in prompt.payload.answers,
      );
    case 'tool_approval':
      return [
        { ...APPROVE, label: 'Allow' },
        { ...REJECT, label: 'Refuse' },
      ];
    case 'budget':
      return [
        { ...APPROVE, label: 'Raise the budget' },
        { ...REJECT, label: 'End the run' },
      ];
    case 'question':
      return [...questionDecisions(prompt.payload.questions ?? []), SAY];
    case 'options':
      return [...optionDecisions(prompt.payload.options ?? []), SAY];
    case 'unknown':
      return [];
  }
}

type Asked = Parameters<typeof offeredAnswers>[0] & { readonly id: string };

/** All questions in one command; a single one that offers answers has a step for each of them. */
function questionDecisions(questions: ReadonlyArray<Asked>): ReadonlyArray<Decision> {
  const [only] = questions;
  if (only !== undefined && questions.length === 1)
    return offeredAnswers(only).map((option, at) => ({
      ...decisionOf([{ questionId: only.id, answer: option }]),
      id: `answer:${at + 1}`,
      label: option === only.suggested ? `${option} (suggested)` : option,
    }));
  if (only === undefined) return [];
  return [
    decisionOf(
      questions.map((asked) => ({
        questionId: asked.id,
        answer:
          (asked.inputType === 'choice' || asked.suggested !== undefined ? offeredAnswers(asked)[0] : undefined) ??
          OWN_WORDS,
      })),
    ),
  ];
}

function optionDecisions(
  options: ReadonlyArray<{ readonly id: string; readonly label: string; readonly recommended?: boolean }>,
): ReadonlyArray<Decision> {
  return options.map(({ id, label, recommended }, at) => ({
    ...decisionOf([{ questionId: 'option', answer: id }]),
    id: `answer:${at + 1}`,
    label: recommended === true ? `${label} (recommended)` : label,
  }));
}

function decisionOf(answers: NonNullable<PromptAnswer['answers']>): Decision {
  const flags = answers.map(({ questionId, answer }) => `--answer ${shellWord(`${questionId}=${answer}`)}`);
  return { id: 'answers', label: 'Answer each', flags: flags.join(' '), answer: { decision: 'answer', answers } };
}
