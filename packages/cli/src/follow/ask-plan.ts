import { planProblemText, readPlanText } from '@attractor/api';
import type { PromptAnswer, PromptOf } from '@attractor/platform';
import type { ApprovalTerminal, Choice } from '../approval/tool-approval.ts';
import { readableText } from '@attractor/console';

/** What is wrong with a plan that a person wrote; null: nothing. */
export type JudgePlan = (plan: string) => string | null;

/**
 * Shows the plan and asks until there is an answer: what is approved is the text that was last on the screen. An edited plan is judged and
 * shown again before it can be approved. Null if the person postpones it.
 */
export async function askPlan(
  terminal: ApprovalTerminal,
  prompt: PromptOf<'plan_approval'>,
  judge: JudgePlan = judgeFor(prompt),
): Promise<PromptAnswer | null> {
  const shown = prompt.payload.plan ?? '';
  let plan = shown;
  await showPlan(terminal, prompt, plan);
  for (;;) {
    const choice = await terminal.choose(readableText(prompt.title), choicesFor(terminal, plan !== shown));
    if (choice === null) return null;
    if (choice === 'approve') return { decision: 'approve', ...(plan === shown ? {} : { plan }) };
    if (choice === 'explain') await terminal.note(EXPLAINED, 'What each answer does');
    else if (choice === 'but') return approvedBut(terminal, plan === shown ? {} : { plan });
    else if (choice === 'edit') {
      plan = await editPlan(terminal, { plan, judge });
      await showPlan(terminal, prompt, plan);
    } else return inWords(terminal, choice === 'changes' ? 'changes' : 'reject');
  }
}

async function showPlan(
  terminal: ApprovalTerminal,
  { title }: { readonly title: string },
  plan: string,
): Promise<void> {
  if (plan !== '') await terminal.note(readableText(plan), readableText(title));
}

type Draft = { readonly plan: string; readonly judge: JudgePlan };

/** The plan as it was left in the editor, once it is a plan; what the person gives up is lost only if they say so. */
async function editPlan(terminal: ApprovalTerminal, { plan, judge }: Draft): Promise<string> {
  let draft = plan;
  for (;;) {
    const left = (await terminal.edit?.(draft, 'plan.md')) ?? null;
    if (left === null) return plan;
    draft = left;
    const problem = judge(draft);
    if (problem === null) return draft;
    await terminal.note(readableText(problem), "Your plan can't be used like this");
    const next = await terminal.choose('What now?', [
      { key: 'e', value: 'edit', label: 'Edit again', hint: 'your text is kept' },
      { key: 'd', value: 'drop', label: 'Discard your text' },
    ]);
    if (next !== 'edit') return plan;
  }
}

/** A plan that was data when it was shown has to be data when it comes back. */
function judgeFor({ payload: { data } }: PromptOf<'plan_approval'>): JudgePlan {
  return (plan) => {
    if (plan.trim() === '') return 'It is empty. To end the task, reject the plan instead.';
    const read = data === undefined || data === null ? null : readPlanText(plan);
    return read?.kind === 'invalid' ? planProblemText(read.problems) : null;
  };
}

async function approvedBut(
  terminal: ApprovalTerminal,
  edited: { readonly plan?: string },
): Promise<PromptAnswer | null> {
  const message = await terminal.text('Approved, but …');
  if (message === null || message.trim() === '') return null;
  return { decision: 'approve', message, ...edited };
}

async function inWords(terminal: ApprovalTerminal, decision: 'changes' | 'reject'): Promise<PromptAnswer | null> {
  const message = await terminal.text(decision === 'changes' ? 'What should be different?' : 'Why not? (optional)');
  if (message === null || (decision === 'changes' && message.trim() === '')) return null;
  return { decision, ...(message === '' ? {} : { message }) };
}

function choicesFor({ edit }: ApprovalTerminal, isEdited: boolean): ReadonlyArray<Choice> {
  return [
    { key: 'y', value: 'approve', label: isEdited ? 'Approve the plan as you edited it' : 'Approve the plan' },
    { key: 'b', value: 'but', label: 'Approve, but …', hint: 'with your comments for the agent' },
    ...(edit === undefined ? [] : [{ key: 'e', value: 'edit', label: 'Edit it', hint: 'in $EDITOR' }]),
    { key: 'c', value: 'changes', label: 'Ask for changes', hint: 'the agent plans again with your comments' },
    { key: 'x', value: 'explain', label: 'Explain' },
    { key: 'n', value: 'reject', label: 'Reject', hint: 'the task is cancelled' },
  ];
}

const EXPLAINED = `Nothing was changed so far: planning only reads.
Approve: an agent does what the text above says, on a branch of its own. Your checkout stays as it is, and what needs your approval asks for it.
Approve, but: the same, and the agent gets your comments along with the plan, such as "skip the tests for now".
Edit: the text opens in your editor. It is checked, shown again, and approved only if you confirm it then.
Ask for changes: the agent plans again with your comments. You are asked about the new plan.
Reject: the task is cancelled. \`attractor tasks reopen\` takes that back.`;
