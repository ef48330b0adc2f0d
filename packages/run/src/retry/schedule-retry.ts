import { resumeTime } from '@attractor/adapters';
import { defined } from '@attractor/base';
import { eventOf, type RunContext, type StepFailure } from '../run-context/run-context.ts';
import { startRun } from '@attractor/pipeline';
import {
  type AgentRun,
  appendEvents,
  findTask,
  type RetryChoices,
  type RetryNote,
  saveProviderLimit,
  type Task,
  transactionTime,
  type Tx,
} from '@attractor/store';
import { decideRetry, type RetryDecision } from './decide-retry.ts';
import { retrySettings } from './retry-settings.ts';

type Failed = { readonly run: AgentRun; readonly failure: StepFailure; readonly choices: RetryChoices };

/**
 * What follows a failed run, in the transaction that closes it: a new run whose job waits for its time, or nothing (false). If the provider
 * gave a time, its account rests until then.
 */
export async function scheduleRetry(context: RunContext, tx: Tx, failed: Failed): Promise<boolean> {
  const task = await retryable(context, tx, failed.run);
  if (task === null) return false;
  const now = new Date(transactionTime(tx));
  const before = context.request.retry;
  const config = retrySettings(failed.choices);
  const decision = decideRetry({
    failure: failed.failure,
    attempt: before?.attempt ?? 1,
    waits: before?.waits ?? 0,
    config,
    now,
  });
  if (decision.do === 'give_up') {
    if (decision.why === 'exhausted') await appendEvents(tx, [exhausted(context, failed)]);
    return false;
  }
  const waits = (before?.waits ?? 0) + (decision.do === 'wait' ? 1 : 0);
  const note: RetryNote = {
    attempt: decision.attempt,
    maxAttempts: config.maxAttempts,
    of: failed.run.id,
    cause: decision.do === 'wait' ? 'limit' : decision.cause,
    failure: failed.failure.message,
    lastAction: await lastAction(tx, failed.run.id),
    waits,
  };
  if (decision.do === 'wait') await leaveAlone(context, tx, { failed, until: decision.until, now });
  await tryAgain(context, tx, { task, note, decision, now, timeout: failed.choices.timeoutMs });
  return true;
}

/** Not retried: a task that has ended, one of several attempts (it is judged as it ended), and a run that a person stopped. */
async function retryable({ pipeline }: RunContext, tx: Tx, run: AgentRun): Promise<Task | null> {
  const task = await findTask(tx, run.taskId);
  if (task === null || pipeline.terminalStatuses.includes(task.status)) return null;
  const row = await tx
    .selectFrom('runs')
    .select(['attempt', 'cancel_requested'])
    .where('id', '=', run.id)
    .executeTakeFirst();
  return row?.attempt === 0 && row.cancel_requested === 0 ? task : null;
}

function exhausted(context: RunContext, { failure }: Failed) {
  const attempts = context.request.retry?.attempt ?? 1;
  return eventOf(context, {
    type: 'agent.retries_exhausted',
    summary: `Given up after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${failure.message}`,
    data: { attempts, failure },
  });
}

/** No other run of the account starts before that time. */
async function leaveAlone(
  context: RunContext,
  tx: Tx,
  { failed, until, now }: { readonly failed: Failed; readonly until: string; readonly now: Date },
): Promise<void> {
  const { run, failure } = failed;
  const job = await tx.selectFrom('jobs').select('account').where('run_id', '=', run.id).executeTakeFirst();
  const account = job?.account === undefined || job.account === '' ? run.agentType : job.account;
  await saveProviderLimit(tx, { account, until, reason: failure.message, runId: run.id });
  await appendEvents(tx, [
    eventOf(context, {
      type: 'agent.limited',
      summary: `${account} has reached its provider's limit and resumes at ${resumeTime(new Date(until), now)}`,
      data: { account, until, reason: failure.message },
    }),
  ]);
}

async function tryAgain(
  context: RunContext,
  tx: Tx,
  next: {
    readonly task: Task;
    readonly note: RetryNote;
    readonly decision: Exclude<RetryDecision, { do: 'give_up' }>;
    readonly now: Date;
    readonly timeout: number | undefined;
  },
): Promise<void> {
  const { request, services, state } = context;
  const { note, decision, timeout } = next;
  const notBefore = decision.do === 'wait' ? decision.until : decision.notBefore;
  const run = await startRun(tx, {
    task: next.task,
    mode: state.run.mode,
    hookParams: request.hookParams,
    // What the first run left uncommitted is part of the work that the next one continues.
    overrides: {
      agentType: state.run.agentType,
      preserveUncommitted: true,
      ...defined({ timeout }),
      ...request.overrides,
    },
    defaultAgentType: services.defaultAgentType,
    actor: { type: 'system', name: 'retry', runId: state.run.id },
    retry: { note, notBefore },
  });
  const when = resumeTime(new Date(notBefore), next.now);
  await appendEvents(tx, [
    eventOf(context, {
      type: 'agent.retry_scheduled',
      summary:
        decision.do === 'wait'
          ? `Resumes at ${when}`
          : `Attempt ${note.attempt} of ${note.maxAttempts} at ${when} (${decision.cause})`,
      data: { ...note, notBefore, nextRunId: run.id },
    }),
  ]);
}

/** What the agent did last before it failed, for the one that tries again. */
async function lastAction(tx: Tx, runId: string): Promise<string | null> {
  const row = await tx
    .selectFrom('events')
    .select(['summary', 'data'])
    .where('run_id', '=', runId)
    .where('type', 'in', ['agent.tool_use', 'agent.message'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? null : row.summary;
}

/** Reported once, when a worker takes the run. */
export async function announceRetry(context: RunContext): Promise<void> {
  const { retry } = context.request;
  if (retry === undefined || context.state.finished.size > 0) return;
  await context.transact((tx) =>
    appendEvents(tx, [
      eventOf(context, {
        key: 'retry_started',
        type: 'agent.retry_started',
        summary: `Attempt ${retry.attempt} of ${retry.maxAttempts} after: ${retry.failure}`,
        data: { ...retry },
      }),
    ]),
  );
}
