import { fire, withdrawPrompts } from '@attractor/pipeline';
import { readRetryChoices } from '../retry/read-retry-choices.ts';
import { scheduleRetry } from '../retry/schedule-retry.ts';
import {
  type AgentRun,
  type AgentRunStatus,
  appendEvents,
  findTask,
  isDataOf,
  type NewEvent,
  type PromptType,
  type Trigger,
  type Tx,
} from '@attractor/store';
import { unlockWorktree } from '@attractor/repository';
import {
  eventOf,
  type RunContext,
  type StepFailure,
  type StepOutcome,
  type StepResults,
} from '../run-context/run-context.ts';
import { storeArtifact } from './08-artifacts.ts';
import { keepUnfinished } from './keep-unfinished.ts';

/**
 * Closes the run and moves the task, in one transaction: whoever sees the outcome sees a closed run, and the next agent can only start
 * after this one has ended. A run that failed for a temporary reason is retried before the task moves. A stopped run moves nothing: the
 * person who stopped it decides.
 */
export async function trigger(context: RunContext): Promise<StepOutcome<StepResults['trigger']>> {
  const { results } = context.state;
  const failure = endOf(context);
  const choices = failure === null ? {} : await readRetryChoices(context);
  const unfinished = failure === null ? [] : await keepUnfinished(context);
  if (results.prepare !== undefined) await unlockWorktree(results.prepare.repository, results.prepare.worktree.path);
  const status = failure === null ? 'completed' : (ENDINGS[failure.code] ?? 'failed');
  return {
    result: { status },
    close: (at) => closedRun(context, { status, failure, at }),
    commit: async (tx, run) => {
      const asking = { projectId: run.projectId, actor: { type: 'system', runId: run.id } } as const;
      await withdrawPrompts(
        tx,
        { taskId: run.taskId, only: (prompt) => prompt.runId === run.id && OF_RUNS.has(prompt.type) },
        asking,
      );
      for (const artifact of unfinished) await storeArtifact(context, tx, artifact);
      await appendEvents(tx, [endEvent(context, run, failure), ...payloadEvents(context, run)]);
      // The person who stopped it, or who sets the budget, decides what happens to the task.
      if (status === 'cancelled' || failure?.code === 'budget') return;
      if (failure !== null && (await scheduleRetry(context, tx, { run, failure, choices }))) return;
      await moveTask(context, tx, run);
    },
  };
}

/** Prompts that only the run itself waits for. */
const OF_RUNS: ReadonlySet<PromptType> = new Set(['tool_approval', 'budget']);

const ENDINGS: Readonly<Partial<Record<StepFailure['code'], AgentRunStatus>>> = {
  cancelled: 'cancelled',
  timeout: 'timeout',
};

/** A run that a person stopped counts as stopped, whatever else went wrong. */
function endOf({ state, cancel }: RunContext): StepFailure | null {
  if (state.failure === null || !cancel.aborted) return state.failure;
  return { code: 'cancelled', message: 'Stopped on request' };
}

type End = { readonly status: AgentRunStatus; readonly failure: StepFailure | null; readonly at: string };

function closedRun({ state }: RunContext, { status, failure, at }: End): Partial<AgentRun> {
  const { validate } = state.results;
  return {
    status,
    outcome: failure === null ? (validate?.outcome ?? null) : null,
    payload: failure === null ? (validate?.payload ?? null) : null,
    error: failure?.message ?? null,
    finishedAt: at,
    durationMs: Math.max(0, Date.parse(at) - Date.parse(state.run.startedAt)),
  };
}

function endEvent(context: RunContext, run: AgentRun, failure: StepFailure | null) {
  const seconds = ((run.durationMs ?? 0) / 1000).toFixed(1);
  const cost = run.tokenUsage?.totalCost;
  const price = cost === null || cost === undefined ? 'cost unknown' : `$${cost.toFixed(4)}`;
  const told = { category: 'agent', data: { run, failure } } as const;
  if (failure === null)
    return eventOf(context, {
      ...told,
      by: 'agent',
      type: 'agent.completed',
      summary: `Agent completed with ${run.outcome ?? 'no outcome'} in ${seconds} s (${price})`,
    });
  if (run.status === 'cancelled')
    return eventOf(context, {
      ...told,
      type: 'agent.cancelled',
      level: 'warning',
      summary: 'The agent was stopped on request',
    });
  return eventOf(context, {
    ...told,
    type: 'agent.failed',
    level: 'error',
    summary: `Agent failed: ${failure.message}`,
  });
}

/** What the agent asked for becomes part of the conversation that later agents read. */
function payloadEvents(context: RunContext, { outcome, payload: data }: AgentRun): ReadonlyArray<NewEvent> {
  const told = { by: 'agent', summary: `Agent reported ${outcome ?? ''}` } as const;
  if (outcome === 'needs_info' && isDataOf('needs_info.sent', data))
    return [eventOf(context, { ...told, type: 'needs_info.sent', data })];
  if (outcome === 'options_proposed' && isDataOf('options.proposed', data))
    return [eventOf(context, { ...told, type: 'options.proposed', data })];
  if (outcome === 'propose_split' && isDataOf('split.proposed', data))
    return [eventOf(context, { ...told, type: 'split.proposed', data })];
  if (outcome === 'changes_requested' && isDataOf('changes.requested', data))
    return [eventOf(context, { ...told, type: 'changes.requested', data })];
  return [];
}

async function moveTask(context: RunContext, tx: Tx, run: AgentRun): Promise<void> {
  const task = await findTask(tx, run.taskId);
  if (task === null) return;
  const fired: Trigger =
    run.outcome === null ? { type: 'agent_error' } : { type: 'agent_outcome', outcome: run.outcome };
  await fire(
    tx,
    { task, pipeline: context.pipeline },
    {
      trigger: fired,
      actor: { type: 'agent', name: run.agentType, runId: run.id },
      runId: run.id,
      payload: run.payload,
      defaultAgentType: context.services.defaultAgentType,
      ...(run.error === null ? {} : { reason: run.error }),
    },
  );
}
