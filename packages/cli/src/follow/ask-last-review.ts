import type { Prompt, PromptAnswer } from '@attractor/platform';
import type { ApprovalTerminal, Choice } from '../approval/tool-approval.ts';
import { readableText } from '@attractor/console';

/** What becomes of finished work. `later`: it waits, here and everywhere else. */
export type LastDecision =
  | { readonly kind: 'answer'; readonly answer: PromptAnswer }
  | { readonly kind: 'merge' | 'roll_back' | 'later' };

type Finished = {
  readonly prompt: Pick<Prompt, 'title'>;
  /** The branch that work is merged into. */
  readonly base: string;
  /** The whole change, as it is shown. */
  readonly diff: () => Promise<string>;
};

/** Asks about work whose summary was just shown, until there is a decision; whoever leaves decides later. */
export async function askLastReview(
  terminal: ApprovalTerminal,
  { prompt, base, diff }: Finished,
): Promise<LastDecision> {
  for (;;) {
    const choice = await terminal.choose(readableText(prompt.title), choicesFor(base));
    if (choice === null || choice === 'later') return { kind: 'later' };
    if (choice === 'approve') return { kind: 'answer', answer: { decision: 'approve' } };
    if (choice === 'merge' || choice === 'roll_back') return { kind: choice };
    if (choice === 'diff') {
      await terminal.note(await diff(), 'The change');
      continue;
    }
    const answer = await inWords(terminal, choice === 'changes' ? 'changes' : 'reject');
    if (answer !== null) return { kind: 'answer', answer };
  }
}

/** Null: they have not said what, and are asked again. */
async function inWords(terminal: ApprovalTerminal, decision: 'changes' | 'reject'): Promise<PromptAnswer | null> {
  const message = await terminal.text(decision === 'changes' ? 'What should be different?' : 'Why not? (optional)');
  if (message === null || (decision === 'changes' && message.trim() === '')) return null;
  return { decision, ...(message === '' ? {} : { message }) };
}

function choicesFor(base: string): ReadonlyArray<Choice> {
  return [
    { key: 'y', value: 'approve', label: 'Approve', hint: 'the task is done; its work stays on the branch' },
    { key: 'm', value: 'merge', label: `Approve and merge into ${readableText(base)}` },
    { key: 'd', value: 'diff', label: 'Show the whole change' },
    { key: 'c', value: 'changes', label: 'Ask for changes', hint: 'the agent continues with your comments' },
    { key: 'r', value: 'roll_back', label: 'Roll it back', hint: 'a commit on the branch undoes all of it' },
    { key: 'n', value: 'reject', label: 'Reject', hint: 'the task is cancelled; its branch stays' },
    { key: 'l', value: 'later', label: 'Decide later', hint: 'it waits for you, also in `attractor inbox`' },
  ];
}
