import { sql } from 'kysely';
import { amountOf, NOTHING, type Reader, usageSums, type UsedAmount } from '@attractor/store';
import { toUsd } from './money.ts';
import type { Costs, Spend, SpendFilter, SpendRow } from './spend.ts';
import type { SlotRange } from './spend-range.ts';

export type Asked = { readonly filter: SpendFilter & { readonly runModel?: string }; readonly range: SlotRange };

const runCount = sql<number>`count(distinct run_usage.run_id)`;

/** What the runs that match the filter spent. `runModel` is the model that a run was started with; its subagents may have used others. */
export async function spendOf(db: Reader, asked: Asked): Promise<Spend> {
  const row = await matching(db, asked).select(usageSums).executeTakeFirst();
  return toSpend(row === undefined ? NOTHING : amountOf(row));
}

/** Each task is a row of its own, so every run is looked at. */
export async function costsByTask(db: Reader, asked: Asked): Promise<Costs> {
  const total = await matching(db, asked).select(usageSums).select(runCount.as('runs')).executeTakeFirst();
  const rows = await matching(db, asked)
    .select('runs.task_id as key')
    .select(usageSums)
    .select(runCount.as('runs'))
    .groupBy('runs.task_id')
    .execute();
  const labels = await labelsOf(
    db,
    rows.map(({ key }) => key),
  );
  return {
    total: { ...toSpend(total === undefined ? NOTHING : amountOf(total)), runs: total?.runs ?? 0 },
    rows: rows
      .map(({ key, runs, ...row }) => ({ key, label: labels.get(key) ?? key, runs, ...toSpend(amountOf(row)) }))
      .toSorted(dearestFirst),
  };
}

export function dearestFirst(a: SpendRow, b: SpendRow): number {
  return b.knownCostUsd - a.knownCostUsd || (a.key < b.key ? -1 : 1);
}

const LABEL_BATCH = 500;

async function labelsOf(db: Reader, keys: ReadonlyArray<string>): Promise<ReadonlyMap<string, string>> {
  const labels = new Map<string, string>();
  for (let start = 0; start < keys.length; start += LABEL_BATCH) {
    const ids = keys.slice(start, start + LABEL_BATCH);
    const rows = await db.selectFrom('tasks').select(['id', 'key', 'title']).where('id', 'in', ids).execute();
    for (const { id, key, title } of rows) labels.set(id, `${key} ${title}`);
  }
  return labels;
}

function matching(db: Reader, { filter, range }: Asked) {
  let query = db.selectFrom('run_usage').innerJoin('runs', 'runs.id', 'run_usage.run_id');
  if (filter.projectId !== undefined) query = query.where('runs.project_id', '=', filter.projectId);
  if (filter.taskId !== undefined) query = query.where('runs.task_id', '=', filter.taskId);
  if (filter.agentType !== undefined) query = query.where('runs.agent_type', '=', filter.agentType);
  if (filter.runModel !== undefined) query = query.where('runs.model', '=', filter.runModel);
  if (filter.model !== undefined) query = query.where('run_usage.model', '=', filter.model);
  if (range.from !== null) query = query.where('run_usage.slot', '>=', range.from);
  if (range.to !== null) query = query.where('run_usage.slot', '<', range.to);
  return query;
}

export function toSpend(used: UsedAmount): Spend {
  const { costNano, ...counts } = used;
  const knownCostUsd = toUsd(costNano);
  return { ...counts, knownCostUsd, costUsd: used.unpricedCalls > 0 ? null : knownCostUsd };
}
