import type { AgentRun } from '@attractor/platform';
import { z } from 'zod';
import { once } from './once.ts';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';
import type { RunView } from './views/run.ts';

export const runRoutes = {
  all: '/api/runs',
  one: '/api/runs/:id',
  stop: '/api/runs/:id/stop',
  view: '/api/views/runs/:id',
} as const;

export const startRunBody = /* @__PURE__ */ once(() =>
  z.strictObject({
    mode: z.enum(['plan', 'implement', 'review', 'investigate', 'design']),
    overrides: z
      .strictObject({
        agentType: z.string().min(1).exactOptional(),
        model: z.string().min(1).exactOptional(),
        provider: z.string().min(1).exactOptional(),
        maxTurns: z.number().int().positive().exactOptional(),
        timeout: z.number().int().positive().exactOptional(),
      })
      .exactOptional(),
    /** The task goes the pipeline's way into this mode, where it has one. Absent: it stays in its status. */
    along: z.literal('pipeline').exactOptional(),
  }),
);

export const runQuery = /* @__PURE__ */ once(() =>
  z.strictObject({
    taskId: z.string().exactOptional(),
    projectId: z.string().exactOptional(),
    status: z.enum(['running', 'completed', 'failed', 'cancelled', 'timeout']).exactOptional(),
  }),
);

export type StartRunBody = z.infer<ReturnType<typeof startRunBody>>;
export type RunQuery = z.infer<ReturnType<typeof runQuery>>;

export type { AgentRun, AgentRunStatus, CheckResult } from '@attractor/platform';

export function runCalls(http: HttpOptions) {
  return {
    list: (query: RunQuery = {}) => get<ReadonlyArray<AgentRun>>(http, fillPath(runRoutes.all, {}, query)),
    get: (id: string) => get<AgentRun>(http, fillPath(runRoutes.one, { id })),
    stop: (id: string) => post<AgentRun>(http, fillPath(runRoutes.stop, { id })),
    view: (id: string) => get<RunView>(http, fillPath(runRoutes.view, { id })),
  };
}
