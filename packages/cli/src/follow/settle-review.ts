import type { PlatformWorkflow, Prompt } from '@attractor/platform';
import { ACTOR } from './begin-task.ts';
import type { LastDecision } from './ask-last-review.ts';

type Settled = { readonly how: 'answered' | 'left' | 'again'; readonly line: string | null };

/** Does with finished work what was decided, all of it or nothing, and says what happened. */
export async function settleReview(
  workflow: Pick<PlatformWorkflow, 'answerPrompt' | 'approve' | 'rollBack'>,
  { id: promptId, taskId, contentHash }: Prompt,
  decision: LastDecision,
): Promise<Settled> {
  if (decision.kind === 'later') return { how: 'left', line: null };
  if (decision.kind === 'answer') {
    const answered = await workflow.answerPrompt({ promptId, contentHash, answer: decision.answer }, ACTOR);
    return answered.ok ? { how: 'answered', line: null } : { how: 'again', line: answered.error.message };
  }
  if (decision.kind === 'roll_back') {
    const undone = await workflow.rollBack({ taskId }, ACTOR);
    return {
      how: 'again',
      line: undone.ok
        ? `Rolled back on ${undone.value.branch}: ${undone.value.label}. You are asked again about the rest.`
        : undone.error.message,
    };
  }
  const merged = await workflow.approve({ taskId, contentHash, merge: true }, ACTOR);
  if (!merged.ok) return { how: 'again', line: merged.error.message };
  const { mergeCommit, baseBranch } = merged.value.pullRequest?.metadata ?? {};
  return { how: 'answered', line: `${String(baseBranch)} has it as ${String(mergeCommit).slice(0, 12)}.` };
}
