import type { BudgetRow } from '../database/spend-rows.ts';
import type { Reader, Tx } from '../database/store.ts';

export async function findBudget(db: Reader, id: string): Promise<BudgetRow | null> {
  return (await db.selectFrom('budgets').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

export async function findBudgetFor(
  db: Reader,
  of: Pick<BudgetRow, 'scope' | 'subject_id' | 'period'>,
): Promise<BudgetRow | null> {
  const row = await db
    .selectFrom('budgets')
    .selectAll()
    .where('scope', '=', of.scope)
    .where('subject_id', '=', of.subject_id)
    .where('period', '=', of.period)
    .executeTakeFirst();
  return row ?? null;
}

export async function saveBudget(tx: Tx, row: BudgetRow): Promise<void> {
  const { id: _id, ...columns } = row;
  await tx
    .insertInto('budgets')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(columns))
    .execute();
}

export async function deleteBudget(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('budgets').where('id', '=', id).execute();
}

export async function listBudgets(
  db: Reader,
  filter: { readonly scope?: BudgetRow['scope']; readonly subjectId?: string },
): Promise<ReadonlyArray<BudgetRow>> {
  let query = db.selectFrom('budgets').selectAll();
  if (filter.scope !== undefined) query = query.where('scope', '=', filter.scope);
  if (filter.subjectId !== undefined) query = query.where('subject_id', '=', filter.subjectId);
  return query.orderBy('id').execute();
}

/** Every budget that a run of this task spends from. */
export async function listBudgetsOf(
  db: Reader,
  run: { readonly projectId: string; readonly taskId: string },
): Promise<ReadonlyArray<BudgetRow>> {
  return db
    .selectFrom('budgets')
    .selectAll()
    .where('subject_id', 'in', ['', run.projectId, run.taskId])
    .orderBy('id')
    .execute();
}

export async function saveReservation(
  tx: Tx,
  runId: string,
  reserved: { readonly costNano: number; readonly tokens: number },
): Promise<void> {
  const columns = { cost_nano: reserved.costNano, tokens: reserved.tokens };
  await tx
    .insertInto('reservations')
    .values({ run_id: runId, ...columns })
    .onConflict((conflict) => conflict.column('run_id').doUpdateSet(columns))
    .execute();
}

export type HeldReservation = {
  readonly runId: string;
  readonly projectId: string;
  readonly taskId: string;
  readonly costNano: number;
  readonly tokens: number;
};

/** Reservations of runs that a worker has. A reservation ends with its run, however that ends: there is nothing to give back. */
export async function listHeldReservations(db: Reader): Promise<ReadonlyArray<HeldReservation>> {
  const rows = await db
    .selectFrom('jobs')
    .innerJoin('reservations', 'reservations.run_id', 'jobs.run_id')
    .innerJoin('runs', 'runs.id', 'jobs.run_id')
    .select(['jobs.run_id', 'runs.project_id', 'runs.task_id', 'reservations.cost_nano', 'reservations.tokens'])
    .where('jobs.state', '=', 'running')
    .execute();
  return rows.map((row) => ({
    runId: row.run_id,
    projectId: row.project_id,
    taskId: row.task_id,
    costNano: row.cost_nano,
    tokens: row.tokens,
  }));
}
