import { askPerson } from '@attractor/pipeline';
import { eventOf, LeftWaiting, type RunContext } from '../run-context/run-context.ts';
import {
  type AgentRun,
  appendEvents,
  findPromptByKey,
  listBudgetsOf,
  type Prompt,
  type Reader,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { type Account, accountsOf, isReached } from './budget-state.ts';
import { showTokenCount, showUsd, toUsd } from '@attractor/analytics';
import { nameBudget, showSpent } from './describe-budget.ts';

/** The budget that ends this run's turn: one that stops takes precedence over one that asks. */
export async function reachedBudget(db: Reader, run: AgentRun, now: string): Promise<Account | null> {
  const reached = (await accountsOf(db, run, now)).filter(isReached);
  return reached.find(({ budget }) => budget.when_reached === 'stop') ?? reached[0] ?? null;
}

/**
 * Null if the run may continue. If a reached budget asks, the run is left to the answer; the question is tied to the budget's limit, so
 * asking it again gives the same prompt. Otherwise returns why the run ends.
 */
export async function holdToBudget(context: RunContext): Promise<string | null> {
  if ((await listBudgetsOf(context.services.store.read, context.state.run)).length === 0) {
    // Nothing is to be decided, only whether the run is still ours.
    await context.look();
    return null;
  }
  const step = await context.transact((tx) => judge(tx, context));
  if (step === null) return null;
  if ('ends' in step) return step.ends;
  const { status, answer } = step.asks;
  if (status === 'pending' && !context.cancel.aborted) throw new LeftWaiting([step.asks.id]);
  const said = answer?.message;
  return `${step.because}${said === undefined || said === '' ? '' : ` A person said: ${said}`}`;
}

type Judged = { readonly ends: string } | { readonly asks: Prompt; readonly because: string };

async function judge(tx: Tx, context: RunContext): Promise<Judged | null> {
  const { run } = context.state;
  const account = await reachedBudget(tx, run, transactionTime(tx));
  if (account === null) return null;
  const { budget } = account;
  const because = `Reached: ${nameBudget(budget)} (${showSpent(account)}).`;
  await appendEvents(tx, [
    eventOf(context, {
      key: `budget:${questionOf(account)}`,
      type: 'budget.reached',
      summary: because,
      data: { budgetId: budget.id, whenReached: budget.when_reached },
    }),
  ]);
  if (budget.when_reached === 'stop') return { ends: `${because} The work so far is kept.` };
  return { asks: await ask(tx, context, account), because };
}

/** A raised budget gets a new question. */
function questionOf({ budget }: Account): string {
  return `${budget.id}:${budget.limit_nano ?? ''}:${budget.limit_tokens ?? ''}`;
}

async function ask(tx: Tx, context: RunContext, account: Account): Promise<Prompt> {
  const { run } = context.state;
  const { budget } = account;
  const key = `budget:${questionOf(account)}`;
  const asked = await findPromptByKey(tx, run.id, key);
  if (asked !== null) return asked;
  return askPerson(
    tx,
    {
      taskId: run.taskId,
      runId: run.id,
      key,
      type: 'budget',
      title: `Go on with more money? Reached: ${nameBudget(budget)}`,
      payload: {
        budgetId: budget.id,
        spent: showSpent(account),
        raiseUsd: budget.limit_nano === null ? null : toUsd(Math.ceil(budget.limit_nano / 2)),
        raiseTokens: budget.limit_tokens === null ? null : Math.ceil(budget.limit_tokens / 2),
        raisedTo: showRaised(account),
      },
    },
    { projectId: run.projectId, actor: { type: 'system', runId: run.id } },
  );
}

/** The limits after an approval, which leaves room above what was spent. */
function showRaised({ budget, spentNano, spentTokens }: Account): string {
  const above = (limit: number, spent: number): number => Math.max(limit, spent) + Math.ceil(limit / 2);
  const { limit_nano: nano, limit_tokens: tokens } = budget;
  return [
    ...(nano === null ? [] : [showUsd(above(nano, spentNano))]),
    ...(tokens === null ? [] : [showTokenCount(above(tokens, spentTokens))]),
  ].join(' and ');
}
