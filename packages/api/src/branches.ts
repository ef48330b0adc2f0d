import type { BranchState, BranchUpdate, TaskDiff } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';

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
