import { dateOfSlot, firstSlotOf, nextDate } from '@attractor/analytics';
import {
  findMeter,
  listBudgetsOf,
  saveReservation,
  SLOT_MS,
  slotOf,
  type StartBlock,
  type StartGate,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { type Account, isReached, readAccount } from './budget-state.ts';
import { DEFAULT_ESTIMATE, estimateRun, type RunEstimate } from './estimate.ts';
import { nameBudget, showSpent } from './describe-budget.ts';

/**
 * Lets a run start if each of its budgets has room for its estimated use beside the reservations of the runs at work, and reserves that
 * amount. If no other run uses the budget, it may start while anything is left: its own monitor ends it when the budget is reached. A run
 * that has begun is never held back here.
 */
export function budgetGate(fixed: RunEstimate = DEFAULT_ESTIMATE): StartGate {
  return async (tx, run) => {
    const budgets = await listBudgetsOf(tx, run);
    if (budgets.length === 0 || (await findMeter(tx, run.id)) !== null) return null;
    const look = lookOf(tx);
    const kind = [run.projectId, run.agentType, run.mode].join(' ');
    const estimate = await once(look.estimates, kind, () => estimateRun(tx, run, fixed));
    for (const budget of budgets) {
      const account = await once(look.accounts, budget.id, () => readAccount(tx, budget, transactionTime(tx)));
      const refusal = judgeStart(account, estimate);
      if (refusal !== null) return blockOf(account, refusal, transactionTime(tx));
    }
    await saveReservation(tx, run.id, estimate);
    return null;
  };
}

type Estimate = Awaited<ReturnType<typeof estimateRun>>;
type Look = { readonly accounts: Map<string, Account>; readonly estimates: Map<string, Estimate> };

const looks = new WeakMap<Tx, Look>();

/**
 * The candidates of one claim are checked in one transaction that changes nothing until one of them passes, so what was read for one is
 * valid for all.
 */
function lookOf(tx: Tx): Look {
  const look = looks.get(tx) ?? { accounts: new Map(), estimates: new Map() };
  looks.set(tx, look);
  return look;
}

async function once<Value>(known: Map<string, Value>, key: string, read: () => Promise<Value>): Promise<Value> {
  const value = known.get(key) ?? (await read());
  known.set(key, value);
  return value;
}

/** Null: it may start. */
export function judgeStart(account: Account, estimate: Estimate): 'reached' | 'reserved' | null {
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
      message: `What is left of ${nameBudget(budget)} is reserved for running runs (${spent} spent).`,
    };
  const message = `Reached: ${nameBudget(budget)} (${spent}). Raise it to continue.`;
  if (budget.period === 'total') return { code: 'budget', message };
  const zone = budget.time_zone;
  const tomorrow = firstSlotOf(nextDate(dateOfSlot(slotOf(now), zone)), zone);
  return { code: 'budget', message, until: new Date(tomorrow * SLOT_MS).toISOString() };
}
