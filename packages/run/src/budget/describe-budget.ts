import type { BudgetRow } from '@attractor/store';
import type { Account } from './budget-state.ts';
import { showTokenCount, showUsd } from '@attractor/analytics';

const SCOPES = { all: 'of everything', project: 'of the project', task: 'of the task' } as const;

/** "the daily budget of the project". */
export function nameBudget({ scope, period }: BudgetRow): string {
  return `the ${period === 'day' ? 'daily ' : ''}budget ${SCOPES[scope]}`;
}

/** "$5.02 of $5.00 and 120,000 of 100,000 tokens". */
export function showSpent({ budget, spentNano, spentTokens }: Account): string {
  const money = budget.limit_nano === null ? [] : [`${showUsd(spentNano)} of ${showUsd(budget.limit_nano)}`];
  const tokens =
    budget.limit_tokens === null
      ? []
      : [`${spentTokens.toLocaleString('en-US')} of ${showTokenCount(budget.limit_tokens)}`];
  return [...money, ...tokens].join(' and ');
}
