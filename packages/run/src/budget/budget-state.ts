import { dateOfSlot, firstSlotOf } from '@attractor/analytics';
import {
  addAmounts,
  amountOf,
  type BudgetRow,
  type HeldReservation,
  listBudgetsOf,
  listHeldReservations,
  listRunUsage,
  NOTHING,
  type Reader,
  slotOf,
  usageSums,
  type UsedAmount,
} from '@attractor/store';
import type { BudgetState } from './budget.ts';
import { toUsd } from '@attractor/analytics';

/** A budget, what was spent of it in its current period, and what is reserved for runs at work. */
export type Account = {
  readonly budget: BudgetRow;
  readonly spentNano: number;
  readonly spentTokens: number;
  readonly reservedNano: number;
  readonly reservedTokens: number;
  readonly unpricedCalls: number;
  /** Runs at work that spend from it and were started with a reservation. */
  readonly atWork: number;
};

/** Every account that a run of this task spends from, at `now`. */
export async function accountsOf(
  db: Reader,
  run: { readonly projectId: string; readonly taskId: string },
  now: string,
): Promise<ReadonlyArray<Account>> {
  const accounts: Account[] = [];
  for (const budget of await listBudgetsOf(db, run)) accounts.push(await readAccount(db, budget, now));
  return accounts;
}

export async function readAccount(db: Reader, budget: BudgetRow, now: string): Promise<Account> {
  // In this order, whatever a run spends meanwhile is counted twice for a moment, and never not at all.
  const reserved = await reservedOf(db, budget);
  const spent = await spentOf(db, budget, now);
  return {
    budget,
    spentNano: spent.costNano,
    spentTokens: spent.inputTokens + spent.outputTokens,
    unpricedCalls: spent.unpricedCalls,
    ...reserved,
  };
}

async function spentOf(db: Reader, budget: BudgetRow, now: string): Promise<UsedAmount> {
  const { scope, subject_id: subject, time_zone: zone } = budget;
  let query = db.selectFrom('run_usage').innerJoin('runs', 'runs.id', 'run_usage.run_id').select(usageSums);
  if (scope === 'project') query = query.where('runs.project_id', '=', subject);
  if (scope === 'task') query = query.where('runs.task_id', '=', subject);
  if (budget.period === 'day')
    query = query.where('run_usage.slot', '>=', firstSlotOf(dateOfSlot(slotOf(now), zone), zone));
  const row = await query.executeTakeFirst();
  return row === undefined ? NOTHING : amountOf(row);
}

async function reservedOf(
  db: Reader,
  budget: BudgetRow,
): Promise<Pick<Account, 'reservedNano' | 'reservedTokens' | 'atWork'>> {
  let atWork = 0;
  let reservedNano = 0;
  let reservedTokens = 0;
  for (const held of await listHeldReservations(db)) {
    if (!isOf(budget, held)) continue;
    atWork += 1;
    const used = (await listRunUsage(db, held.runId)).reduce<UsedAmount>(addAmounts, NOTHING);
    reservedNano += Math.max(0, held.costNano - used.costNano);
    reservedTokens += Math.max(0, held.tokens - used.inputTokens - used.outputTokens);
  }
  return { reservedNano, reservedTokens, atWork };
}

function isOf({ scope, subject_id: subject }: BudgetRow, held: HeldReservation): boolean {
  return scope === 'all' || subject === (scope === 'project' ? held.projectId : held.taskId);
}

export function isReached({ budget, spentNano, spentTokens }: Account): boolean {
  const { limit_nano: nano, limit_tokens: tokens } = budget;
  return (nano !== null && spentNano >= nano) || (tokens !== null && spentTokens >= tokens);
}

export function stateOf(account: Account): BudgetState {
  const { budget, spentTokens, reservedTokens, unpricedCalls } = account;
  return {
    id: budget.id,
    scope: budget.scope,
    subjectId: budget.subject_id === '' ? null : budget.subject_id,
    period: budget.period,
    timeZone: budget.time_zone,
    limitUsd: budget.limit_nano === null ? null : toUsd(budget.limit_nano),
    limitTokens: budget.limit_tokens,
    whenReached: budget.when_reached,
    createdAt: budget.created_at,
    updatedAt: budget.updated_at,
    spentUsd: toUsd(account.spentNano),
    spentTokens,
    reservedUsd: toUsd(account.reservedNano),
    reservedTokens,
    unpricedCalls,
    isReached: isReached(account),
  };
}
