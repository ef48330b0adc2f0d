import type { AttemptGroupRow, AttemptRow } from '../database/spend-rows.ts';
import type { Reader, Tx } from '../database/store.ts';

export async function insertGroup(tx: Tx, row: AttemptGroupRow): Promise<void> {
  await tx.insertInto('attempt_groups').values(row).execute();
}

/** From now on the run may continue beside the other attempts at its task. */
export async function insertAttempt(
  tx: Tx,
  attempt: { readonly runId: string; readonly groupId: string; readonly number: number },
): Promise<void> {
  const { runId, groupId, number } = attempt;
  await tx.updateTable('runs').set({ attempt: number }).where('id', '=', runId).execute();
  await tx
    .insertInto('attempts')
    .values({ run_id: runId, group_id: groupId, number, score: null, place: null })
    .execute();
}

/** Null: the run is no attempt. */
export async function findAttempt(db: Reader, runId: string): Promise<AttemptRow | null> {
  return (await db.selectFrom('attempts').selectAll().where('run_id', '=', runId).executeTakeFirst()) ?? null;
}

export async function listGroupAttempts(db: Reader, groupId: string): Promise<ReadonlyArray<AttemptRow>> {
  return db.selectFrom('attempts').selectAll().where('group_id', '=', groupId).orderBy('number').execute();
}

export async function findGroup(db: Reader, id: string): Promise<AttemptGroupRow | null> {
  return (await db.selectFrom('attempt_groups').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Newest first. */
export async function listGroups(db: Reader, taskId: string): Promise<ReadonlyArray<AttemptGroupRow>> {
  return db.selectFrom('attempt_groups').selectAll().where('task_id', '=', taskId).orderBy('id', 'desc').execute();
}

/** The first score stays. */
export async function saveScore(tx: Tx, runId: string, score: string): Promise<void> {
  await tx.updateTable('attempts').set({ score }).where('run_id', '=', runId).where('score', 'is', null).execute();
}

export async function savePlaces(tx: Tx, groupId: string, runIds: ReadonlyArray<string>): Promise<void> {
  for (const [index, runId] of runIds.entries())
    await tx
      .updateTable('attempts')
      .set({ place: index + 1 })
      .where('group_id', '=', groupId)
      .where('run_id', '=', runId)
      .execute();
}

export async function saveJudgement(
  tx: Tx,
  group: { readonly id: string; readonly winnerRunId: string; readonly at: string },
): Promise<void> {
  await tx
    .updateTable('attempt_groups')
    .set({ winner_run_id: group.winnerRunId, judged_at: group.at })
    .where('id', '=', group.id)
    .execute();
}

/** Nobody works on the run any more, whoever has its job. */
export async function endJobOf(tx: Tx, runId: string): Promise<void> {
  await tx
    .updateTable('jobs')
    .set({ state: 'done', owner: null, lease_until: null })
    .where('run_id', '=', runId)
    .execute();
}
