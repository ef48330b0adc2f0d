import { isRecord } from '@attractor/base';
import { clarifiedQuery, planText } from '@attractor/pipeline';
import {
  addArtifact,
  appendEvents,
  type Effect,
  findTask,
  listEvents,
  type NewArtifact,
  putEffect,
  type Tx,
  updateTask,
} from '@attractor/store';
import type { Collected } from '@attractor/repository';
import { collectChange, collectDocument } from './collect-change.ts';
import { changeEffects, reviewEffects } from './forge-effects.ts';
import { eventOf, resultOf, type RunContext, type StepOutcome, type StepResults } from '../run-context/run-context.ts';

/**
 * What the run leaves for people: the plan, documents, the branch, its commits and the change itself, which are then pushed and put into a
 * pull request. Best effort: a failure is reported once and never fails the run; the work stays on its branch.
 */
export async function collectArtifacts(context: RunContext): Promise<StepOutcome<StepResults['artifacts']>> {
  const { run } = context.state;
  const collected = await collect(context);
  const effects = await decideEffects(context, collected);
  const effectIds = await context.transact(async (tx) => {
    for (const artifact of collected.artifacts) await storeArtifact(context, tx, artifact);
    return put(tx, effects);
  });
  const settled = await context.services.outbox.settle(effectIds);
  const problems = [...collected.problems, ...settled.flatMap(problemOf)];
  return {
    result: { collected: collected.artifacts.length },
    events: problems.length === 0 ? [] : [failureEvent(context, problems)],
    commit: async (tx) => {
      if (run.mode !== 'plan' && run.mode !== 'clarify') return;
      await storeClarified(context, tx);
      await storePlan(context, tx);
    },
  };
}

async function collect(context: RunContext): Promise<Collected> {
  const { mode } = context.state.run;
  if (mode === 'implement') return collectChange(context, resultOf(context, 'validate').head);
  return mode === 'design' || mode === 'investigate' ? collectDocument(context) : NOTHING;
}

const NOTHING: Collected = { artifacts: [], problems: [], change: null };

async function decideEffects(
  context: RunContext,
  { change }: Collected,
): Promise<Awaited<ReturnType<typeof changeEffects>>> {
  if (change !== null) return changeEffects(context, change);
  return context.state.run.mode === 'review' ? reviewEffects(context) : [];
}

/** Each effect may need the one before it. */
async function put(tx: Tx, effects: Awaited<ReturnType<typeof changeEffects>>): Promise<ReadonlyArray<string>> {
  const ids: string[] = [];
  for (const effect of effects) ids.push(await putEffect(tx, { ...effect, needs: ids.at(-1) ?? null }));
  return ids;
}

function problemOf({ state, error }: Effect): ReadonlyArray<string> {
  return state === 'failed' && error !== null ? [error] : [];
}

function failureEvent(context: RunContext, problems: ReadonlyArray<string>) {
  return eventOf(context, {
    type: 'agent.artifact_collection_failed',
    summary: `Not everything could be collected; the work itself is on its branch. ${problems.join(' ')}`,
    data: { problems },
  });
}

export async function storeArtifact(context: RunContext, tx: Tx, artifact: NewArtifact): Promise<void> {
  const added = await addArtifact(tx, artifact);
  if (added === null) return;
  const type = added.type === 'branch' ? 'branch.created' : 'artifact.added';
  await appendEvents(tx, [
    eventOf(context, { type, summary: `${added.type}: ${added.label}`, data: { artifact: added } }),
  ]);
}

/** Keeps what clarifying found to be wanted, for the agents that plan and do the work. */
async function storeClarified(context: RunContext, tx: Tx): Promise<void> {
  const { payload, outcome } = resultOf(context, 'validate');
  if (outcome !== 'clarified' && outcome !== 'plan_complete') return;
  const said = isRecord(payload) ? payload['clarified_query'] : undefined;
  const told = typeof said === 'string' && said.trim() !== '' ? said.trim() : null;
  if (told === null && context.state.run.mode !== 'clarify') return;
  const events = await listEvents(tx, { taskId: context.task.id, category: 'payload', limit: 10_000 });
  const summary = 'The request is clear';
  const data = { clarified_query: told ?? clarifiedQuery(context.task, events) };
  await appendEvents(tx, [eventOf(context, { by: 'agent', type: 'task.clarified', summary, data })]);
}

async function storePlan(context: RunContext, tx: Tx): Promise<void> {
  const { payload, talk, outcome } = resultOf(context, 'validate');
  const plan = outcome === 'plan_complete' ? planText({ payload, result: talk.result }) : null;
  const task = await findTask(tx, context.task.id);
  if (plan === null || task === null) return;
  const changed = await updateTask(tx, task, { plan });
  if (changed !== null)
    await appendEvents(tx, [
      eventOf(context, {
        by: 'agent',
        type: 'field.updated',
        summary: 'The plan is written',
        data: { task: changed, field: 'plan' },
      }),
    ]);
}
