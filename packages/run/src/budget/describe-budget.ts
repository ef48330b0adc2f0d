import type { BudgetRow } from '@attractor/store';
import type { Account } from './budget-state.ts';
import { showUsd } from '@attractor/analytics';

const SCOPES = { all: 'of everything', project: 'of the project', task: 'of the task' } as const;

/** "the daily budget of the project". */
export function nameBudget({ scope, period }: BudgetRow): string {
  return `the ${period === 'day' ? 'daily ' : ''}budget ${SCOPES[scope]}`;
}

/** "$5.02 of $5.00 and 120000 of 100000 tokens". */
export function showSpent({ budget, spentNano, spentTokens }: Account): string {
  const money = budget.limit_nano === null ? [] : [`${showUsd(spentNano)} of ${showUsd(budget.limit_nano)}`];
  const tokens = budget.limit_tokens === null ? [] : [`${spentTokens} of ${budget.limit_tokens} tokens`];
  return [...money, ...tokens].join(' and ');
}
