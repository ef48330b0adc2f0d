import type { AgentComparison, Costs, RunStats, RunTimeline } from '@attractor/platform';
import { costRoutes, type CostQuery, type StatsQuery } from '../costs.ts';
import { get, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

export function costCalls(http: HttpOptions) {
  return {
    list: (query: CostQuery = {}) => get<Costs>(http, fillPath(costRoutes.all, {}, query)),
    stats: (query: StatsQuery = {}) => get<RunStats>(http, fillPath(costRoutes.stats, {}, query)),
    compareAgents: (query: StatsQuery = {}) =>
      get<ReadonlyArray<AgentComparison>>(http, fillPath(costRoutes.agents, {}, query)),
    timeline: (runId: string) => get<RunTimeline>(http, fillPath(costRoutes.timeline, { id: runId })),
  };
}
