/** `all`: everything that this database runs. `subjectId` names the project or the task, and is null for `all`. */
export type BudgetScope = 'all' | 'project' | 'task';

/**
 * What may be spent: in USD, in tokens, or both, once or each day. There is at most one budget for a scope, its subject and a period. Once
 * it is reached no more runs start; a run at work ends after its turn (`stop`), or waits for a person who may raise the budget (`ask`).
 */
export type Budget = {
  readonly id: string;
  readonly scope: BudgetScope;
  readonly subjectId: string | null;
  readonly period: 'total' | 'day';
  /** The time zone in which the day begins. An IANA name. */
  readonly timeZone: string;
  readonly limitUsd: number | null;
  readonly limitTokens: number | null;
  readonly whenReached: 'ask' | 'stop';
  readonly createdAt: string;
  readonly updatedAt: string;
};

/**
 * `reserved` is reserved for running runs that have not used it yet. `unpricedCalls` used models of unknown price: no USD budget counts them.
 */
export type BudgetState = Budget & {
  readonly spentUsd: number;
  readonly spentTokens: number;
  readonly reservedUsd: number;
  readonly reservedTokens: number;
  readonly unpricedCalls: number;
  readonly isReached: boolean;
};

export type BudgetInput = {
  readonly scope: BudgetScope;
  readonly subjectId?: string | null;
  readonly period?: Budget['period'];
  readonly timeZone?: string;
  readonly limitUsd?: number | null;
  readonly limitTokens?: number | null;
  readonly whenReached?: Budget['whenReached'];
};
