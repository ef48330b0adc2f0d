import { offeredAnswers } from '@attractor/api';
import { promptText } from '@attractor/pipeline';
import type { Prompt, PromptAnswer, PromptOf } from '@attractor/platform';
import { ownTerminal } from '../approval/own-terminal.ts';
import { type ApprovalTerminal, askForTool, type Choice } from '../approval/tool-approval.ts';
import { readableText } from '@attractor/console';
import { askPlan } from './ask-plan.ts';

/** What a question can be asked with, besides the terminal. */
export type Asking = {
  /** Aborted when somebody else answered. */
  readonly signal?: AbortSignal;
  readonly edit?: NonNullable<ApprovalTerminal['edit']>;
  /** The whole change that a review is about, as it is shown: harmless to a terminal. */
  readonly diff?: () => Promise<string>;
};

/**
 * Asks a person at this terminal, and shows what the answer is about: exactly that is approved. Null if they postpone it (Ctrl-C), or if
 * somebody else answered.
 */
export function askPerson(prompt: Prompt, { signal, edit, diff }: Asking = {}): Promise<PromptAnswer | null> {
  return askAt(ownTerminal(signal, edit), prompt, diff);
}

export async function askAt(
  terminal: ApprovalTerminal,
  prompt: Prompt,
  diff?: Asking['diff'],
): Promise<PromptAnswer | null> {
  if (prompt.type === 'tool_approval') return askForTool(prompt, terminal);
  if (prompt.type === 'question') return askQuestions(terminal, prompt);
  if (prompt.type === 'options') return askOptions(terminal, prompt);
  if (prompt.type === 'plan_approval') return askPlan(terminal, prompt);
  const shown = promptText(prompt);
  if (shown !== '') await terminal.note(readableText(shown), readableText(prompt.title));
  return askDecision(terminal, prompt, diff);
}

async function askDecision(
  terminal: ApprovalTerminal,
  { type, title }: Pick<Prompt, 'type' | 'title'>,
  diff: Asking['diff'],
): Promise<PromptAnswer | null> {
  const offered = (CHOICES[type] ?? []).filter(({ value }) => value !== 'diff' || diff !== undefined);
  const choice = await terminal.choose(readableText(title), offered);
  if (choice === null) return null;
  if (choice === 'approve') return { decision: 'approve' };
  if (choice === 'diff' && diff !== undefined) {
    await terminal.note(await diff(), 'The change');
    return askDecision(terminal, { type, title }, diff);
  }
  const decision = choice === 'changes' ? 'changes' : 'reject';
  const message = await terminal.text(WHY[decision]);
  if (message === null) return null;
  return { decision, ...(message === '' ? {} : { message }) };
}

/** One after another, each with its options; a question without any is answered in the person's own words. */
async function askQuestions(terminal: ApprovalTerminal, prompt: PromptOf<'question'>): Promise<PromptAnswer | null> {
  const { questions = [], question } = prompt.payload;
  if (questions.length === 0) return answerInWords(terminal, question ?? prompt.title);
  const answers: Array<{ questionId: string; answer: string }> = [];
  for (const one of questions) {
    const { id, question: asked, context, inputType, suggested } = one;
    if (context !== undefined && context !== '') await terminal.note(readableText(context), readableText(asked));
    const answer = await pick(terminal, readableText(asked), {
      options: offeredAnswers(one),
      isOpen: inputType !== 'choice' && inputType !== 'boolean',
      suggested,
    });
    if (answer === null) return null;
    answers.push({ questionId: id, answer });
  }
  return { decision: 'answer', answers };
}

async function answerInWords(terminal: ApprovalTerminal, asked: string): Promise<PromptAnswer | null> {
  const message = await terminal.text(readableText(asked));
  return message === null ? null : { decision: 'answer', message };
}

const OWN_WORDS = '\0own';

type Picking = {
  readonly options: ReadonlyArray<string>;
  readonly isOpen: boolean;
  /** What whoever asks would take. */
  readonly suggested: string | undefined;
};

async function pick(
  terminal: ApprovalTerminal,
  asked: string,
  { options, isOpen, suggested }: Picking,
): Promise<string | null> {
  if (options.length === 0) return terminal.text(asked);
  const listed: ReadonlyArray<Choice> = options.map((value) => ({
    value,
    label: readableText(value),
    ...(value === suggested ? { hint: 'suggested' } : {}),
  }));
  const choices = isOpen ? [...listed, { value: OWN_WORDS, label: 'Something else' }] : listed;
  const chosen = await terminal.choose(asked, choices);
  return chosen === OWN_WORDS ? terminal.text(asked) : chosen;
}

async function askOptions(terminal: ApprovalTerminal, prompt: PromptOf<'options'>): Promise<PromptAnswer | null> {
  const { summary, options = [] } = prompt.payload;
  if (options.length === 0) return answerInWords(terminal, prompt.title);
  const lines = options.map(({ label, description, tradeoffs, recommended }) =>
    [`${label}${recommended === true ? ' (recommended)' : ''}: ${description}`, tradeoffs ?? ''].join('\n  ').trim(),
  );
  await terminal.note(readableText([summary ?? '', ...lines].join('\n').trim()), readableText(prompt.title));
  const choices = options.map(({ id, label }) => ({ value: id, label: readableText(label) }));
  const chosen = await terminal.choose(readableText(prompt.title), choices);
  return chosen === null ? null : { decision: 'answer', answers: [{ questionId: 'option', answer: chosen }] };
}

const CHOICES: Readonly<Partial<Record<Prompt['type'], ReadonlyArray<Choice>>>> = {
  review: [
    { key: 'y', value: 'approve', label: 'Approve', hint: 'it goes on from here' },
    { key: 'd', value: 'diff', label: 'Show the whole change' },
    { key: 'c', value: 'changes', label: 'Ask for changes', hint: 'the agent continues with your comments' },
    { key: 'n', value: 'reject', label: 'Reject', hint: 'the task is cancelled' },
  ],
  split_proposal: [
    { key: 'y', value: 'approve', label: 'Split it like this', hint: 'the subtasks are made; the task waits for them' },
    { key: 'c', value: 'changes', label: 'Ask for changes', hint: 'the agent proposes again with your comments' },
    { key: 'n', value: 'reject', label: 'Do it in one piece', hint: 'the agent goes on with the whole task' },
  ],
  budget: [
    { key: 'y', value: 'approve', label: 'Go on with more', hint: 'the budget is raised by half' },
    { key: 'n', value: 'reject', label: 'End the run', hint: 'what was done so far is kept' },
  ],
};

const WHY: Readonly<Record<'changes' | 'reject', string>> = {
  changes: 'What should be different?',
  reject: 'Why not? (optional)',
};
