import { z } from 'zod';
import { once } from './once.ts';
import type { AgentComparison, Costs, RunStats, RunTimeline } from '@attractor/platform';
import { get, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const costRoutes = {
  all: '/api/costs',
  stats: '/api/stats',
  agents: '/api/agent-comparison',
  timeline: '/api/runs/:id/timeline',
} as const;

const spendFilter = () => ({
  projectId: z.string().exactOptional(),
  taskId: z.string().exactOptional(),
  agentType: z.string().exactOptional(),
  model: z.string().exactOptional(),
  from: z.string().max(40).exactOptional(),
  to: z.string().max(40).exactOptional(),
  timeZone: z.string().max(100).exactOptional(),
});

const COST_GROUPS = ['project', 'task', 'agent', 'model', 'day'] as const;

export const costQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...spendFilter(), groupBy: z.enum(COST_GROUPS).exactOptional() }),
);

export const statsQuery = /* @__PURE__ */ once(() => z.strictObject(spendFilter()));

export type CostQuery = z.infer<ReturnType<typeof costQuery>>;
export type StatsQuery = z.infer<ReturnType<typeof statsQuery>>;

export type { AgentComparison, Costs, RunStats, RunTimeline, Spend } from '@attractor/platform';

export function costCalls(http: HttpOptions) {
  return {
    list: (query: CostQuery = {}) => get<Costs>(http, fillPath(costRoutes.all, {}, query)),
    stats: (query: StatsQuery = {}) => get<RunStats>(http, fillPath(costRoutes.stats, {}, query)),
    compareAgents: (query: StatsQuery = {}) =>
      get<ReadonlyArray<AgentComparison>>(http, fillPath(costRoutes.agents, {}, query)),
    timeline: (runId: string) => get<RunTimeline>(http, fillPath(costRoutes.timeline, { id: runId })),
  };
}
