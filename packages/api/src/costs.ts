import { once } from '@attractor/base';
import type { AgentComparison, Costs, RunStats, RunTimeline } from '@attractor/platform';
import { z } from 'zod';
import { list } from './answers/shape.ts';
import { comparisonAnswer, costsAnswer, statsAnswer, timelineAnswer } from './answers/spend.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';

const at = {
  list: 'GET /api/costs',
  stats: 'GET /api/stats',
  compareAgents: 'GET /api/agent-comparison',
  timeline: 'GET /api/runs/:id/timeline',
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

const costQuery = /* @__PURE__ */ once(() =>
  z.strictObject({ ...spendFilter(), groupBy: z.enum(COST_GROUPS).exactOptional() }),
);

const statsQuery = /* @__PURE__ */ once(() => z.strictObject(spendFilter()));

export type CostQuery = z.infer<ReturnType<typeof costQuery>>;
export type StatsQuery = z.infer<ReturnType<typeof statsQuery>>;

export type { AgentComparison, Costs, RunStats, RunTimeline, Spend } from '@attractor/platform';

export function costCalls(http: HttpOptions) {
  return {
    list: (query: CostQuery = {}) => ask<Costs>(http, at.list, { query }),
    stats: (query: StatsQuery = {}) => ask<RunStats>(http, at.stats, { query }),
    compareAgents: (query: StatsQuery = {}) => ask<ReadonlyArray<AgentComparison>>(http, at.compareAgents, { query }),
    timeline: (runId: string) => ask<RunTimeline>(http, at.timeline, { params: { id: runId } }),
  };
}

export const costRoutes = /* @__PURE__ */ once(() => ({
  list: route(at.list, {
    about: 'show what was spent, by project unless said otherwise',
    access: ['viewer', 'named'],
    answers: costsAnswer,
    query: costQuery,
    act: ({ workflow, query: { groupBy = 'project', ...filter } }) => workflow.costs(filter, groupBy),
  }),
  stats: route(at.stats, {
    about: 'show how runs went',
    access: ['viewer', 'named'],
    answers: statsAnswer,
    query: statsQuery,
    act: ({ workflow, query }) => workflow.stats(query),
  }),
  compareAgents: route(at.compareAgents, {
    about: 'compare agents by how their runs went',
    access: ['viewer', 'named'],
    answers: () => list(comparisonAnswer()),
    query: statsQuery,
    act: ({ workflow, query }) => workflow.compareAgents(query),
  }),
  timeline: route(at.timeline, {
    about: 'show where the time of a run went',
    access: ['viewer', 'named'],
    answers: timelineAnswer,
    act: ({ workflow, params }) => workflow.runTimeline(params.id),
  }),
}));
