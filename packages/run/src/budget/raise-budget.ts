import {
  type Actor,
  appendEvents,
  findBudget,
  type PromptOf,
  saveBudget,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { readAccount, stateOf } from './budget-state.ts';
import { showTokenCount, showUsd, toNano } from '@attractor/analytics';
import { nameBudget } from './describe-budget.ts';

/**
 * Carries out the answer to "go on with more money?", in the answer's own transaction: an approval raises the budget above what was spent
 * by the requested sum, or by the one that the person gives (`input.usd`, `input.tokens`).
 */
export async function raiseBudget(
  tx: Tx,
  prompt: PromptOf<'budget'>,
  by: { readonly projectId: string; readonly actor: Actor },
): Promise<void> {
  const budget = await findBudget(tx, prompt.payload.budgetId);
  if (prompt.answer?.decision !== 'approve' || budget === null) return;
  const now = transactionTime(tx);
  const { spentNano, spentTokens } = await readAccount(tx, budget, now);
  const { input = {} } = prompt.answer;
  const usd = sumOf(input['usd']) ?? sumOf(prompt.payload.raiseUsd) ?? 0;
  const tokens = sumOf(input['tokens']) ?? sumOf(prompt.payload.raiseTokens) ?? 0;
  const raised = {
    ...budget,
    limit_nano: budget.limit_nano === null ? null : exact(Math.max(budget.limit_nano, spentNano) + toNano(usd)),
    limit_tokens:
      budget.limit_tokens === null ? null : exact(Math.max(budget.limit_tokens, spentTokens) + Math.ceil(tokens)),
    updated_at: now,
  };
  await saveBudget(tx, raised);
  const money = raised.limit_nano === null ? [] : [showUsd(raised.limit_nano)];
  const counted = raised.limit_tokens === null ? [] : [showTokenCount(raised.limit_tokens)];
  await appendEvents(tx, [
    {
      projectId: by.projectId,
      taskId: prompt.taskId,
      runId: prompt.runId,
      type: 'budget.raised',
      summary: `Raised to ${[...money, ...counted].join(' and ')}: ${nameBudget(budget)}`,
      data: { budget: stateOf(await readAccount(tx, raised, now)) },
      actor: by.actor,
    },
  ]);
}

function sumOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : null;
}

/** A database keeps no larger number as it is. */
function exact(limit: number): number {
  return Math.min(limit, Number.MAX_SAFE_INTEGER);
}
