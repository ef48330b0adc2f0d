import { sql } from 'kysely';
import { done } from '@attractor/base';
import { type AgentRunStatus, millisBetween, type Result, type Store } from '@attractor/store';
import type { AgentComparison, RunStats, SpendFilter, WaitingTimes } from './spend.ts';
import { spendOf } from './task-costs.ts';
import { countAccepted } from './accepted-changes.ts';
import { type Asked, matching } from './matching-runs.ts';
import { readRange } from './spend-range.ts';

type From = Pick<Store, 'read' | 'dialect'>;

/** How runs ended and where their time went. A run counts for the time at which it was started. */
export async function readStats(from: From, filter: SpendFilter): Promise<Result<RunStats>> {
  const range = readRange(filter);
  return range.ok ? done(await statsOf(from, { filter, range: range.value })) : range;
}

/** The same for each agent and model, those with most runs first. */
export async function compareAgents(from: From, filter: SpendFilter): Promise<Result<ReadonlyArray<AgentComparison>>> {
  const range = readRange(filter);
  if (!range.ok) return range;
  const kinds = await matching(from, { filter, range: range.value })
    .select(['runs.agent_type', 'runs.model'])
    .groupBy(['runs.agent_type', 'runs.model'])
    .execute();
  const compared: AgentComparison[] = [];
  for (const kind of kinds) {
    const own = { ...filter, agentType: kind.agent_type, model: kind.model };
    const stats = await statsOf(from, { filter: own, range: range.value });
    const { model, ...rest } = own;
    const spend = await spendOf(from.read, { filter: { ...rest, runModel: model }, range: range.value });
    compared.push({
      ...stats,
      agentType: kind.agent_type,
      model,
      spend,
      costPerCompletedUsd: shareOf(spend.costUsd, stats.completed),
      costPerAcceptedUsd: shareOf(spend.costUsd, stats.accepted),
    });
  }
  return done(compared.toSorted((a, b) => b.runs - a.runs || (a.agentType + a.model < b.agentType + b.model ? -1 : 1)));
}

function shareOf(costUsd: number | null, count: number): number | null {
  return costUsd === null || count === 0 ? null : costUsd / count;
}

async function statsOf(from: From, asked: Asked): Promise<RunStats> {
  const counts = await countByStatus(from, asked);
  const of = (status: AgentRunStatus): number => counts.get(status) ?? 0;
  const judged = of('completed') + of('failed') + of('timeout');
  return {
    runs: [...counts.values()].reduce((sum, count) => sum + count, 0),
    running: of('running'),
    completed: of('completed'),
    failed: of('failed'),
    timeout: of('timeout'),
    cancelled: of('cancelled'),
    successRate: judged === 0 ? null : of('completed') / judged,
    ...(await durationsOf(from, asked)),
    retries: await retriesOf(from, asked),
    accepted: await countAccepted(from, asked),
    waiting: await waitingOf(from, asked),
  };
}

async function countByStatus(from: From, asked: Asked): Promise<ReadonlyMap<AgentRunStatus, number>> {
  const rows = await matching(from, asked)
    .select(['runs.status', sql<number>`count(*)`.as('count')])
    .groupBy('runs.status')
    .execute();
  return new Map(rows.map(({ status, count }) => [status, count]));
}

async function durationsOf(from: From, asked: Asked): Promise<Pick<RunStats, 'meanDurationMs' | 'medianDurationMs'>> {
  const ended = matching(from, asked).where('runs.duration_ms', 'is not', null);
  const sums = await ended
    .select([sql<number>`count(*)`.as('count'), sql<number | null>`cast(sum(runs.duration_ms) as bigint)`.as('total')])
    .executeTakeFirst();
  const count = sums?.count ?? 0;
  if (count === 0) return { meanDurationMs: null, medianDurationMs: null };
  const middle = await ended
    .select('runs.duration_ms')
    .orderBy('runs.duration_ms')
    .offset(Math.floor((count - 1) / 2))
    .limit(count % 2 === 0 ? 2 : 1)
    .execute();
  const middles = middle.map((row) => row.duration_ms ?? 0);
  return {
    meanDurationMs: Math.round((sums?.total ?? 0) / count),
    medianDurationMs: Math.round(middles.reduce((sum, value) => sum + value, 0) / middles.length),
  };
}

/** A retry: the previous run of the same task and mode failed or timed out. Parallel attempts are not retries. */
async function retriesOf(from: From, asked: Asked): Promise<number> {
  const row = await matching(from, asked)
    .where('runs.attempt', '=', 0)
    .where(
      sql<string | null>`(
        select earlier.status from runs as earlier
        where earlier.task_id = runs.task_id and earlier.mode = runs.mode and earlier.id < runs.id
        order by earlier.id desc limit 1
      )`,
      'in',
      ['failed', 'timeout'],
    )
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

async function waitingOf(from: From, asked: Asked): Promise<WaitingTimes> {
  const meters = await matching(from, asked)
    .innerJoin('run_meters', 'run_meters.run_id', 'runs.id')
    .select([
      sql<number | null>`cast(sum(run_meters.queue_ms) as bigint)`.as('queue'),
      sql<number | null>`cast(sum(run_meters.agent_ms) as bigint)`.as('agent'),
      sql<number | null>`cast(sum(run_meters.checks_ms) as bigint)`.as('checks'),
    ])
    .executeTakeFirst();
  const people = await matching(from, asked)
    .innerJoin('prompts', 'prompts.run_id', 'runs.id')
    .where('prompts.answered_at', 'is not', null)
    .select(
      sql<
        number | null
      >`cast(sum(${millisBetween(from.dialect, 'prompts.created_at', 'prompts.answered_at')}) as bigint)`.as('people'),
    )
    .executeTakeFirst();
  return {
    onQueueMs: meters?.queue ?? 0,
    onAgentsMs: meters?.agent ?? 0,
    onChecksMs: meters?.checks ?? 0,
    onPeopleMs: people?.people ?? 0,
  };
}
