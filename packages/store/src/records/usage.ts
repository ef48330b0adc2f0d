import { type ExpressionBuilder, sql } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { RunUsageRow } from '../database/spend-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';

/** What was used of one model. `costNano` does not include the `unpricedCalls`, whose price is unknown. */
export type UsedAmount = {
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costNano: number;
  readonly unpricedCalls: number;
};

export const SLOT_MS = 15 * 60_000;

/** The quarter of an hour that contains a time. Days of every time zone begin and end with one. */
export function slotOf(time: string | Date): number {
  return Math.floor(new Date(time).getTime() / SLOT_MS);
}

/** Adds to what the run used. The caller makes sure that a call reported twice is added once. */
export async function addUsage(
  tx: Tx,
  runId: string,
  used: UsedAmount & { readonly model: string; readonly at?: string },
): Promise<void> {
  const { model, at = transactionTime(tx) } = used;
  await tx
    .insertInto('run_usage')
    .values({ run_id: runId, model, slot: slotOf(at), ...columnsOf(used) })
    .onConflict((conflict) =>
      conflict.columns(['run_id', 'model', 'slot']).doUpdateSet({
        calls: sql`run_usage.calls + ${used.calls}`,
        input_tokens: sql`run_usage.input_tokens + ${used.inputTokens}`,
        output_tokens: sql`run_usage.output_tokens + ${used.outputTokens}`,
        cache_read_tokens: sql`run_usage.cache_read_tokens + ${used.cacheReadTokens}`,
        cache_write_tokens: sql`run_usage.cache_write_tokens + ${used.cacheWriteTokens}`,
        cost_nano: sql`run_usage.cost_nano + ${used.costNano}`,
        unpriced_calls: sql`run_usage.unpriced_calls + ${used.unpricedCalls}`,
      }),
    )
    .execute();
}

function columnsOf(used: UsedAmount): Omit<RunUsageRow, 'run_id' | 'model' | 'slot'> {
  return {
    calls: used.calls,
    input_tokens: used.inputTokens,
    output_tokens: used.outputTokens,
    cache_read_tokens: used.cacheReadTokens,
    cache_write_tokens: used.cacheWriteTokens,
    cost_nano: used.costNano,
    unpriced_calls: used.unpricedCalls,
  };
}

/** What a run used of each model. */
export async function listRunUsage(
  db: Reader,
  runId: string,
): Promise<ReadonlyArray<UsedAmount & { readonly model: string }>> {
  const rows = await db
    .selectFrom('run_usage')
    .select('model')
    .select(usageSums)
    .where('run_id', '=', runId)
    .groupBy('model')
    .orderBy('model')
    .execute();
  return rows.map((row) => ({ model: row.model, ...amountOf(row) }));
}

type Sums = Record<
  'calls' | 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens' | 'costNano' | 'unpricedCalls',
  number | null
>;

/** Numbers on both databases: PostgreSQL would return text. */
export function usageSums(_expression: ExpressionBuilder<Schema, 'run_usage'>) {
  const sum = (column: string) => sql<number | null>`cast(sum(${sql.ref(`run_usage.${column}`)}) as bigint)`;
  return [
    sum('calls').as('calls'),
    sum('input_tokens').as('inputTokens'),
    sum('output_tokens').as('outputTokens'),
    sum('cache_read_tokens').as('cacheReadTokens'),
    sum('cache_write_tokens').as('cacheWriteTokens'),
    sum('cost_nano').as('costNano'),
    sum('unpriced_calls').as('unpricedCalls'),
  ] as const;
}

export function amountOf(row: Sums): UsedAmount {
  return {
    calls: row.calls ?? 0,
    inputTokens: row.inputTokens ?? 0,
    outputTokens: row.outputTokens ?? 0,
    cacheReadTokens: row.cacheReadTokens ?? 0,
    cacheWriteTokens: row.cacheWriteTokens ?? 0,
    costNano: row.costNano ?? 0,
    unpricedCalls: row.unpricedCalls ?? 0,
  };
}

export const NOTHING: UsedAmount = amountOf({
  calls: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  costNano: 0,
  unpricedCalls: 0,
});

export function addAmounts(a: UsedAmount, b: UsedAmount): UsedAmount {
  return {
    calls: a.calls + b.calls,
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    cacheReadTokens: a.cacheReadTokens + b.cacheReadTokens,
    cacheWriteTokens: a.cacheWriteTokens + b.cacheWriteTokens,
    costNano: a.costNano + b.costNano,
    unpricedCalls: a.unpricedCalls + b.unpricedCalls,
  };
}
