import { done, once } from '@attractor/base';
import type { BudgetState } from '@attractor/platform';
import { z } from 'zod';
import { doneAnswer } from './answers/done.ts';
import { list } from './answers/shape.ts';
import { budgetAnswer } from './answers/spend.ts';
import { asDone, type Done } from './done.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = { list: 'GET /api/budgets', set: 'POST /api/budgets', delete: 'DELETE /api/budgets/:id' } as const;

const budgetQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    scope: z.enum(['all', 'project', 'task']).exactOptional(),
    subjectId: z.string().exactOptional(),
  }),
);

/** Creates a budget, or changes the one with the same scope, subject and period. */
const budgetBody = /* @__PURE__ */ once(() =>
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
    list: (query: BudgetQuery = {}) => ask<ReadonlyArray<BudgetState>>(http, at.list, { query }),
    set: (body: BudgetBody) => ask<BudgetState>(http, at.set, { body }),
    delete: (id: string) => ask<Done>(http, at.delete, { params: { id } }),
  };
}

export const budgetRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'list budgets, with what was spent of them',
    access: ['viewer', 'visible'],
    answers: () => list(budgetAnswer()),
    query: budgetQuery,
    act: async ({ workflow, query }) => done(await workflow.listBudgets(query)),
  }),
  set: route(at.set, {
    about: 'make a budget or change it',
    access: ['admin', 'every'],
    answers: budgetAnswer,
    body: budgetBody,
    act: ({ workflow, body, actor }) => workflow.setBudget(body, actor),
  }),
  delete: route(at.delete, {
    about: 'remove a budget',
    access: ['admin', 'every'],
    answers: doneAnswer,
    act: async ({ workflow, params, actor }) => asDone(await workflow.deleteBudget(params.id, actor)),
  }),
}));
