import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '@attractor/base';
import {
  appendEvents,
  beginMeter,
  isOutOfService,
  markProgress,
  type NewEvent,
  RUN_STEPS,
  type RunStep,
  saveStep,
  transactionTime,
  updateRun,
} from '@attractor/store';
import { saysNoRoom, whyNoRoom, whyNotWritable } from '@attractor/system';
import {
  eventOf,
  LetGo,
  type RunContext,
  type StepFailure,
  type StepOutcome,
  type StepResults,
} from '../run-context/run-context.ts';

/** These close what was opened: they always run. */
const ALWAYS: ReadonlySet<RunStep> = new Set(['trigger', 'cleanup']);

/** After these the worktree may have changed. */
const CHANGES_WORK: ReadonlySet<RunStep> = new Set(['prepare', 'execute', 'parse', 'validate']);

const CANCELLED = { failure: { code: 'cancelled', message: 'Stopped on request' } } as const;

type Step<Name extends RunStep> = (context: RunContext) => Promise<StepOutcome<StepResults[Name]>>;

/**
 * Runs one step unless it is already saved, then saves its result, its events and its changes in one transaction. A step may be repeated
 * after a crash, so its effects outside the database must be repeatable.
 */
export async function walkStep<Name extends RunStep>(context: RunContext, name: Name, step: Step<Name>): Promise<void> {
  const { state } = context;
  if (state.finished.has(name)) return;
  if (state.failure !== null && !ALWAYS.has(name)) return;
  if (context.letGo.aborted) throw new LetGo(String(context.letGo.reason));
  const isFirst = name === 'prepare';
  if (state.started !== name)
    await context.transact(
      async (tx) => {
        if (isFirst) await beginMeter(tx, state.run);
        await appendEvents(tx, [startOf(context, name)]);
      },
      isFirst ? 'asking' : 'silent',
    );
  const started = performance.now();
  const outcome = await attempt(context, name, step);
  await leaveIfNothingIsWritten(context, name, outcome.failure ?? outcome.endedBy ?? null);
  if (CHANGES_WORK.has(name)) await carryWork(context, name, preparedBy(name, outcome.result));
  if (context.letGo.aborted && !ALWAYS.has(name)) throw new LetGo(String(context.letGo.reason));
  await save(context, { name, outcome, durationMs: Math.round(performance.now() - started) });
}

const MOST_LEAVES = 5;

/** What fails where nothing can be written is no failure of the run: it waits in the queue for room here, or for another machine. */
export async function leaveIfNothingIsWritten(
  context: RunContext,
  name: RunStep,
  failure: StepFailure | null,
): Promise<void> {
  const { services, state } = context;
  if (failure === null || failure.code === 'cancelled' || ALWAYS.has(name)) return;
  const { home } = services;
  const said = saysNoRoom(failure.message) ? failure.message : null;
  const why = (await whyNotWritable(home)) ?? (await whyNoRoom(home)) ?? said;
  if (why === null) return;
  const left = await services.store.read
    .selectFrom('events')
    .select('seq')
    .where('run_id', '=', state.run.id)
    .where('type', '=', 'worktree.no_room')
    .execute();
  if (left.length >= MOST_LEAVES) return;
  const summary = `Nothing can be written here, and the run goes back to the queue: ${why}`;
  await context.transact((tx) => appendEvents(tx, [eventOf(context, { type: 'worktree.no_room', summary })]));
  throw new LetGo('nothing can be written here');
}

const CARRY_PATIENCE_MS = 60_000;
const CARRY_AGAIN_MS = 1_000;

/**
 * What a step did is where another machine finds it before the step counts as done: this machine may be lost next. If there is no room for
 * that it waits for some; what can't be carried for any other reason stays here, and the run goes on.
 */
async function carryWork(context: RunContext, name: RunStep, prepared?: StepResults['prepare']): Promise<void> {
  const deadline = performance.now() + CARRY_PATIENCE_MS;
  for (;;) {
    const problem = await context.carry.work(prepared);
    if (problem === null || !saysNoRoom(problem) || context.letGo.aborted) return;
    if (performance.now() > deadline)
      return leaveIfNothingIsWritten(context, name, { code: 'environment', message: problem });
    await sleep(CARRY_AGAIN_MS);
  }
}

function startOf(context: RunContext, step: RunStep): NewEvent {
  const summary = `Step ${step} started`;
  return eventOf(context, { type: 'run.step_started', level: 'debug', summary, data: { step } });
}

/**
 * The next step, whose start is saved in the same transaction as the end of this one. After `validate` there is none: an attempt is settled
 * first.
 */
function followerOf(name: RunStep): RunStep | null {
  return name === 'validate' ? null : (RUN_STEPS[RUN_STEPS.indexOf(name) + 1] ?? null);
}

async function attempt<Name extends RunStep>(
  context: RunContext,
  name: Name,
  step: Step<Name>,
): Promise<StepOutcome<StepResults[Name]>> {
  try {
    await context.look();
    if (context.cancel.aborted && !ALWAYS.has(name)) return CANCELLED;
    return await step(context);
  } catch (error) {
    if (error instanceof LetGo || ALWAYS.has(name) || isOutOfService(error)) throw error;
    if (context.letGo.aborted) throw new LetGo(String(context.letGo.reason));
    if (context.cancel.aborted) return CANCELLED;
    const message = messageOf(error);
    return { failure: { code: 'unexpected', message: `Step ${name} failed unexpectedly: ${message}` } };
  }
}

function preparedBy(name: RunStep, result: unknown): StepResults['prepare'] | undefined {
  if (name !== 'prepare' || typeof result !== 'object' || result === null) return undefined;
  return isPrepared(result) ? result : undefined;
}

function isPrepared(result: object): result is StepResults['prepare'] {
  return 'worktree' in result && 'repository' in result;
}

type Finished<Name extends RunStep> = {
  readonly name: Name;
  readonly outcome: StepOutcome<StepResults[Name]>;
  readonly durationMs: number;
};

async function save<Name extends RunStep>(
  context: RunContext,
  { name, outcome, durationMs }: Finished<Name>,
): Promise<void> {
  const { state } = context;
  const failure: StepFailure | null = outcome.failure ?? null;
  const follower = failure === null && state.failure === null ? followerOf(name) : null;
  const run = await context.transact(async (tx) => {
    const run = { ...state.run, ...outcome.run, ...outcome.close?.(transactionTime(tx)) };
    const isChanged = outcome.run !== undefined || outcome.close !== undefined;
    const changed = { ...(isChanged ? { run } : {}), ...(failure === null ? {} : { failure }) };
    await saveStep(tx, run.id, { step: name, ok: failure === null, result: failure ?? outcome.result });
    if (!state.hasProgress) await markProgress(tx, context.claim);
    if (isChanged) await updateRun(tx, run);
    await appendEvents(tx, outcome.events ?? []);
    await outcome.commit?.(tx, run);
    await appendEvents(tx, [
      eventOf(context, {
        type: 'run.step_finished',
        level: failure === null ? 'debug' : 'warning',
        summary: failure === null ? `Step ${name} finished` : `Step ${name} failed: ${failure.message}`,
        data: { step: name, ok: failure === null, durationMs, ...changed },
      }),
      ...(follower === null ? [] : [startOf(context, follower)]),
    ]);
    return run;
  });
  state.run = run;
  state.started = follower;
  state.hasProgress = true;
  state.finished.add(name);
  if (failure === null) state.results = { ...state.results, [name]: outcome.result };
  else state.failure = failure;
}
