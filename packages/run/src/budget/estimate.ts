import { type AgentRun, type Reader, usageSums } from '@attractor/store';
import { toNano } from '@attractor/analytics';

/** What a run is expected to use before there are any figures. */
export type RunEstimate = { readonly usd: number; readonly tokens: number };

export const DEFAULT_ESTIMATE: RunEstimate = { usd: 0.5, tokens: 200_000 };

const PAST_RUNS = 20;

/** The median of the last runs of this agent, in this mode, in this project; a fixed sum if there were none. */
export async function estimateRun(
  db: Reader,
  run: AgentRun,
  fixed: RunEstimate,
): Promise<{ readonly costNano: number; readonly tokens: number }> {
  const past = await db
    .selectFrom('runs')
    .select('id')
    .where('project_id', '=', run.projectId)
    .where('agent_type', '=', run.agentType)
    .where('mode', '=', run.mode)
    .where('status', 'in', ['completed', 'failed', 'timeout'])
    .orderBy('id', 'desc')
    .limit(PAST_RUNS)
    .execute();
  const ids = past.map(({ id }) => id);
  const used =
    ids.length === 0
      ? []
      : await db.selectFrom('run_usage').select(usageSums).where('run_id', 'in', ids).groupBy('run_id').execute();
  return {
    costNano:
      median(used.filter(({ unpricedCalls }) => unpricedCalls === 0).map(({ costNano }) => costNano ?? 0)) ??
      toNano(fixed.usd),
    tokens: median(used.map((row) => (row.inputTokens ?? 0) + (row.outputTokens ?? 0))) ?? fixed.tokens,
  };
}

export function median(values: ReadonlyArray<number>): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle];
  if (upper === undefined) return null;
  const lower = sorted.length % 2 === 0 ? (sorted[middle - 1] ?? upper) : upper;
  return Math.round((lower + upper) / 2);
}
