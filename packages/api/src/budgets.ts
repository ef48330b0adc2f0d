import { z } from 'zod';
import { once } from './once.ts';
import type { BudgetState } from '@attractor/platform';
import type { Done } from './done.ts';
import { get, post, remove, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const budgetRoutes = { all: '/api/budgets', one: '/api/budgets/:id' } as const;

export const budgetQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    scope: z.enum(['all', 'project', 'task']).exactOptional(),
    subjectId: z.string().exactOptional(),
  }),
);

/** Makes a budget, or changes the one that is there for the same scope, subject and period. */
export const budgetBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    scope: z.enum(['all', 'project', 'task']),
    subjectId: z.string().min(1).nullable().exactOptional(),
    period: z.enum(['total', 'day']).exactOptional(),
    timeZone: z.string().min(1).max(100).exactOptional(),
    limitUsd: z.number().nonnegative().nullable().exactOptional(),
    limitTokens: z.number().int().nonnegative().nullable().exactOptional(),
    whenReached: z.enum(['ask', 'stop']).exactOptional(),
  }),
);

export type BudgetQuery = z.infer<ReturnType<typeof budgetQuery>>;
export type BudgetBody = z.infer<ReturnType<typeof budgetBody>>;

export type { BudgetState } from '@attractor/platform';

export function budgetCalls(http: HttpOptions) {
  return {
    list: (query: BudgetQuery = {}) => get<ReadonlyArray<BudgetState>>(http, fillPath(budgetRoutes.all, {}, query)),
    set: (body: BudgetBody) => post<BudgetState>(http, budgetRoutes.all, body),
    delete: (id: string) => remove<Done>(http, fillPath(budgetRoutes.one, { id })),
  };
}
