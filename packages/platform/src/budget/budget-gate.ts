import { dateOfSlot, firstSlotOf, nextDate } from '../analytics/local-day.ts';
import type { StartBlock, StartGate } from '../queue/start-gate.ts';
import { saveReservation } from '../store/budgets.ts';
import { findMeter } from '../store/meters.ts';
import type { Tx } from '../store/store.ts';
import { transactionTime } from '../store/transaction-time.ts';
import { SLOT_MS, slotOf } from '../store/usage.ts';
import type { AgentRun } from '../types/index.ts';
import { type Account, accountsOf, isReached } from './budget-state.ts';
import { DEFAULT_ESTIMATE, estimateRun, type RunEstimate } from './estimate.ts';
import { nameBudget, showSpent } from './words.ts';

/**
 * Lets a run start when each of its budgets has room for what it will probably use, beside what is held for the runs at work; and
 * holds that for it. Alone on a budget it may start while anything is left: its own monitor ends it when the budget is reached. A run
 * that has begun is never held back here.
 */
export function budgetGate(fixed: RunEstimate = DEFAULT_ESTIMATE): StartGate {
  return async (tx, run) => {
    if ((await findMeter(tx, run.id)) !== null) return null;
    const accounts = await accountsIn(tx, run);
    if (accounts.length === 0) return null;
    const estimate = await estimateRun(tx, run, fixed);
    for (const account of accounts) {
      const refusal = judgeStart(account, estimate);
      if (refusal !== null) return blockOf(account, refusal, transactionTime(tx));
    }
    await saveReservation(tx, run.id, estimate);
    return null;
  };
}

const seen = new WeakMap<Tx, Map<string, ReadonlyArray<Account>>>();

/** Candidates of one claim are asked in one transaction that changes nothing until one of them passes: what was read for a task holds for all of its runs. */
async function accountsIn(tx: Tx, run: AgentRun): Promise<ReadonlyArray<Account>> {
  const known = seen.get(tx) ?? new Map<string, ReadonlyArray<Account>>();
  seen.set(tx, known);
  const accounts = known.get(run.taskId) ?? (await accountsOf(tx, run, transactionTime(tx)));
  known.set(run.taskId, accounts);
  return accounts;
}

/** Null: it may start. */
export function judgeStart(
  account: Account,
  estimate: { readonly costNano: number; readonly tokens: number },
): 'reached' | 'reserved' | null {
  if (isReached(account)) return 'reached';
  const { limit_nano: nano, limit_tokens: tokens } = account.budget;
  const { spentNano, spentTokens, reservedNano, reservedTokens } = account;
  const isFull =
    (nano !== null && spentNano + reservedNano + estimate.costNano > nano) ||
    (tokens !== null && spentTokens + reservedTokens + estimate.tokens > tokens);
  return isFull && account.atWork > 0 ? 'reserved' : null;
}

function blockOf(account: Account, refusal: 'reached' | 'reserved', now: string): StartBlock {
  const { budget } = account;
  const spent = showSpent(account);
  if (refusal === 'reserved')
    return {
      code: 'budget',
      message: `What is left of ${nameBudget(budget)} is held for runs at work (${spent} spent).`,
    };
  const message = `Reached: ${nameBudget(budget)} (${spent}). Raise it to go on.`;
  if (budget.period === 'total') return { code: 'budget', message };
  const zone = budget.time_zone;
  const tomorrow = firstSlotOf(nextDate(dateOfSlot(slotOf(now), zone)), zone);
  return { code: 'budget', message, until: new Date(tomorrow * SLOT_MS).toISOString() };
}
