import type { BudgetState } from '@attractor/platform';
import { budgetRoutes, type BudgetBody, type BudgetQuery } from '../budgets.ts';
import type { Done } from '../done.ts';
import { get, post, remove, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

export function budgetCalls(http: HttpOptions) {
  return {
    list: (query: BudgetQuery = {}) => get<ReadonlyArray<BudgetState>>(http, fillPath(budgetRoutes.all, {}, query)),
    set: (body: BudgetBody) => post<BudgetState>(http, budgetRoutes.all, body),
    delete: (id: string) => remove<Done>(http, fillPath(budgetRoutes.one, { id })),
  };
}
