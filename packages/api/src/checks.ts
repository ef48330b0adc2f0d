import type { AgentRun, CheckResult } from '@attractor/platform';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

/** To post to the checks of a task runs them now. */
export const checkRoutes = {
  ofTask: '/api/tasks/:id/checks',
  ofRun: '/api/runs/:id/checks',
} as const;

/** A result with the run that it belongs to; the newest of each check and side of that run. */
export type RunCheck = CheckResult & { readonly runId: AgentRun['id']; readonly mode: AgentRun['mode'] };

export function checkCalls(http: HttpOptions) {
  return {
    ofTask: (id: string) => get<ReadonlyArray<RunCheck>>(http, fillPath(checkRoutes.ofTask, { id })),
    /** Answers when the last of them ended. */
    run: (taskId: string) => post<ReadonlyArray<CheckResult>>(http, fillPath(checkRoutes.ofTask, { id: taskId })),
    ofRun: (id: string) => get<ReadonlyArray<RunCheck>>(http, fillPath(checkRoutes.ofRun, { id })),
  };
}
