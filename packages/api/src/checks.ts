import type { AgentRun, CheckResult } from '@attractor/platform';

/** To post to the checks of a task runs them now. */
export const checkRoutes = {
  ofTask: '/api/tasks/:id/checks',
  ofRun: '/api/runs/:id/checks',
} as const;

/** A result with the run that it belongs to; the newest of each check and side of that run. */
export type RunCheck = CheckResult & { readonly runId: AgentRun['id']; readonly mode: AgentRun['mode'] };
