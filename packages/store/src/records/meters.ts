import { sql } from 'kysely';
import type { AgentRun } from '../types/index.ts';
import type { RunMeterRow } from '../database/spend-rows.ts';
import type { Reader, Tx } from '../database/store.ts';
import { transactionTime } from '../database/transaction-time.ts';
import { asUnasked, unasked } from '../database/unasked.ts';
import { compiledOnce, type Given } from '../database/compiled-once.ts';

/** The first worker has begun: the time the run waited for one is final. Later ones change nothing. */
export async function beginMeter(tx: Tx, run: AgentRun): Promise<void> {
  const begunAt = transactionTime(tx);
  const job = await tx.selectFrom('jobs').select('not_before').where('run_id', '=', run.id).executeTakeFirst();
  const from = Math.max(Date.parse(run.startedAt), Date.parse(job?.not_before ?? run.startedAt));
  await unasked(
    tx
      .insertInto('run_meters')
      .values({
        run_id: run.id,
        begun_at: begunAt,
        queue_ms: Math.max(0, Date.parse(begunAt) - from) || 0,
        agent_ms: 0,
        checks_ms: 0,
        agent_process: null,
      })
      .onConflict((conflict) => conflict.column('run_id').doNothing()),
  );
}

export async function addRunTime(
  tx: Tx,
  runId: string,
  time: { readonly agentMs?: number; readonly checksMs?: number },
): Promise<void> {
  await addTimes(tx, { runId, agentMs: Math.round(time.agentMs ?? 0), checksMs: Math.round(time.checksMs ?? 0) });
}

const addTimes = compiledOnce((db, added: Given<{ runId: string; agentMs: number; checksMs: number }>) =>
  asUnasked(
    db
      .updateTable('run_meters')
      .set({ agent_ms: sql`agent_ms + ${added.agentMs}`, checks_ms: sql`checks_ms + ${added.checksMs}` })
      .where('run_id', '=', added.runId),
  ),
);

/** Null: there is none at present. */
export async function setAgentProcess(tx: Tx, runId: string, process: string | null): Promise<void> {
  await unasked(tx.updateTable('run_meters').set({ agent_process: process }).where('run_id', '=', runId));
}

export async function findMeter(db: Reader, runId: string): Promise<RunMeterRow | null> {
  return (await db.selectFrom('run_meters').selectAll().where('run_id', '=', runId).executeTakeFirst()) ?? null;
}
