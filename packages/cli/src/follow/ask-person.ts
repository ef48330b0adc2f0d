import type { Prompt, PromptAnswer } from '@attractor/platform';
import { OWN_TERMINAL } from '../approval/own-terminal.ts';
import { askForTool } from '../approval/tool-approval.ts';
import { readableText } from '../terminal/escape.ts';
import { askText, choose } from '../terminal/questions.ts';

/** Asks a person at this terminal; resolves to null if they postpone it (Ctrl-C). */
export async function askPerson(prompt: Prompt): Promise<PromptAnswer | null> {
  if (prompt.type === 'tool_approval') return askForTool(prompt, OWN_TERMINAL);
  const choice = await choose(readableText(prompt.title), CHOICES[prompt.type] ?? []);
  if (choice === null) return null;
  if (choice === 'approve') return { decision: 'approve' };
  const message = await askText({ message: WHY[choice] });
  if (message === null) return null;
  return { decision: choice, ...(message === '' ? {} : { message }) };
}

type Choice = 'approve' | 'changes' | 'reject' | 'answer';

const CHOICES: Readonly<Partial<Record<Prompt['type'], Array<{ value: Choice; label: string; hint?: string }>>>> = {
  plan_approval: [
    { value: 'approve', label: 'Approve the plan' },
    { value: 'changes', label: 'Ask for changes', hint: 'the agent plans again with your words' },
    { value: 'reject', label: 'Reject', hint: 'the task is cancelled' },
  ],
  budget: [
    { value: 'approve', label: 'Go on with more', hint: 'the budget is raised by half' },
    { value: 'reject', label: 'End the run', hint: 'what was done so far is kept' },
  ],
  question: [{ value: 'answer', label: 'Answer' }],
  options: [{ value: 'answer', label: 'Answer' }],
};

const WHY: Readonly<Record<Exclude<Choice, 'approve'>, string>> = {
  changes: 'What should be different?',
  reject: 'Why not? (optional)',
  answer: 'Your answer',
};
