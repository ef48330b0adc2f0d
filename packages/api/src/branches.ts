import type { Artifact, BranchState, BranchUpdate, Effect, TaskDiff } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const branchRoutes = {
  state: '/api/tasks/:id/branch',
  diff: '/api/tasks/:id/diff',
  push: '/api/tasks/:id/push',
  rebase: '/api/tasks/:id/rebase',
  merge: '/api/tasks/:id/merge',
  effects: '/api/tasks/:id/effects',
} as const;

/** A phase of the task, where it has any. */
export const phaseQuery = /* @__PURE__ */ once(() => z.strictObject({ phaseId: z.string().exactOptional() }));

export type PhaseQuery = z.infer<ReturnType<typeof phaseQuery>>;

export type { BranchState, BranchUpdate, TaskDiff };
export type { Effect, FileDiff } from '@attractor/platform';

/** Of a task, or of one phase of it. What leaves the machine is done by the service; a call answers once it is done. */
export function branchCalls(http: HttpOptions) {
  const path = (route: string, id: string, query: PhaseQuery) => fillPath(route, { id }, query);
  return {
    state: (id: string, query: PhaseQuery = {}) => get<BranchState>(http, path(branchRoutes.state, id, query)),
    diff: (id: string, query: PhaseQuery = {}) => get<TaskDiff>(http, path(branchRoutes.diff, id, query)),
    push: (id: string, query: PhaseQuery = {}) => post<ReadonlyArray<Effect>>(http, path(branchRoutes.push, id, query)),
    rebase: (id: string, query: PhaseQuery = {}) => post<BranchUpdate>(http, path(branchRoutes.rebase, id, query)),
    merge: (id: string, query: PhaseQuery = {}) => post<Artifact>(http, path(branchRoutes.merge, id, query)),
    effects: (id: string) => get<ReadonlyArray<Effect>>(http, path(branchRoutes.effects, id, {})),
  };
}
