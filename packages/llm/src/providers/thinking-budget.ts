import type { ReasoningEffort } from '../types/request.ts';

/** The highest is what every model with a budget takes. */
const BUDGETS: Readonly<Record<string, number>> = { low: 1024, medium: 4096, high: 16_384 };
const HIGHEST = 24_576;

/** For models that are told how many tokens they may think, and not how hard. */
export function thinkingBudget(effort: ReasoningEffort): number {
  return BUDGETS[effort] ?? HIGHEST;
}

/** For services of which nobody knows whether they have more than three levels. */
export function plainEffort(effort: ReasoningEffort): ReasoningEffort {
  return effort === 'xhigh' || effort === 'max' ? 'high' : effort;
}
