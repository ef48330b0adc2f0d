import {
  type AgentSession,
  keepSnapshots,
  openAgentSession,
  type SessionConfig,
  type SnapshotKeeper,
} from '@attractor/agent';
import { type HeldSession, undoFolder } from '@attractor/journal';
import { defined } from '@attractor/base';
import { type Client, costOf, createClient, NO_USAGE } from '@attractor/llm';
import { type CommandFailure, EXIT, unwrap } from '../exit.ts';
import type { StopSignal } from '../terminal/stop-signal.ts';
import { VERSION } from '../version.ts';
import { createApiTime } from '@attractor/stream-json';
import { answerInputs, type Conversation, endedAs, endingOf } from './conversation.ts';
import { answerControl } from './control.ts';
import { initLine } from './init-line.ts';
import type { Line } from '@attractor/stream-json';
import type { HeadlessFlags } from './flags.ts';
import { createPresentedPlan, type PresentedPlan } from './presented-plan.ts';
import { type HeadlessEnding, resultLine } from '@attractor/stream-json';
import { unknownFields } from './session-config.ts';
import { createStructuredOutput, type StructuredOutput } from './structured-output.ts';
import { watchSession } from './watch.ts';
import type { HeadlessInput } from './headless-input.ts';

export type HeadlessEnd = {
  readonly exitCode: number;
  /** Null: the last prompt has had its result line, and nothing came after it. */
  readonly result: Line | null;
  /** What was wrong with the input, or null. */
  readonly failure: CommandFailure | null;
  /** The session was started for prompts, and none came. */
  readonly isUnused: boolean;
};

/** Runs a session without a terminal, from its first prompt to its last; every ending has a result line. */
export async function runHeadless(input: HeadlessInput): Promise<HeadlessEnd> {
  const started = performance.now();
  const { flags, stop, write } = input;
  const apiTime = createApiTime();
  const client = createClient({ configuration: input.llm, middleware: [apiTime.middleware] });
  const structured = createStructuredOutput(flags.jsonSchema);
  const plan = createPresentedPlan(flags.permissionMode);
  const keeper = keepSnapshots({ workspace: input.cwd, statePath: undoFolder(input.place) });
  const interrupted = new AbortController();
  const signal = AbortSignal.any([stop.signal, interrupted.signal]);
  const session = await openSession(input, { client, keeper, plan, structured, signal });
  const watch = watchSession(session, input, { isHidden: structured?.isTool ?? (() => false), keeper });
  const interrupt = (): void => void session.interrupt();
  signal.addEventListener('abort', interrupt, { once: true });
  if (signal.aborted) interrupt();
  [...notHeld(flags, session.model), ...session.notes].forEach(input.tell);
  write(initLine(session, flags));
  const onControl = answerControl({ session, write, interrupt: () => interrupted.abort() });
  const time = { started, apiMs: apiTime.ms };
  const talk: Conversation = { session, input, watch, structured, plan, time, listening: { signal, onControl } };
  const { told, failure, isIdle } = await answerInputs(talk);
  input.progress?.stop();
  const ending = failure === null ? endingOf(talk) : 'failed';
  await session.close();
  await watch.ended;
  await keeper.close();
  await client.close();
  await input.sandbox?.close();
  stop.release();
  const final = signal.aborted ? 'interrupted' : ending;
  const isUnused = isIdle && input.place.isNew;
  const unused = isUnused
    ? { sessionId: null, message: failure?.message ?? 'Interrupted before there was a prompt.' }
    : {};
  return {
    exitCode: exitCodeOf(final, { stop, failure }),
    result: told === final ? null : resultLine({ ...endedAs(talk, final, failure), ...unused }),
    failure,
    isUnused,
  };
}

type Means = {
  readonly client: Client;
  readonly keeper: SnapshotKeeper;
  readonly plan: PresentedPlan;
  readonly structured: StructuredOutput | null;
  readonly signal: AbortSignal;
};

async function openSession(input: HeadlessInput, means: Means): Promise<AgentSession> {
  const { flags, place, model, cwd, furtherFolders, provider, rules, setup, sandbox } = input;
  const { client, keeper, plan, structured, signal } = means;
  const config: Partial<SessionConfig> = {
    ...flags.config,
    ...(flags.maxTurns === undefined ? {} : { maxTurns: answersBefore(place) + flags.maxTurns }),
    ...defined({ userInstruction: flags.appendSystemPrompt }),
  };
  // Nobody can be asked: what the policy asks about is denied.
  return unwrap(
    await openAgentSession({
      folder: cwd,
      furtherFolders,
      client,
      provider,
      ...defined({ model, profile: flags.profile }),
      setup,
      place,
      mode: flags.permissionMode,
      rules,
      sandbox: sandbox ?? 'none',
      tools: structured === null ? [] : [structured.tool],
      ports: plan.ports,
      servers: flags,
      beforeChange: keeper.beforeChange,
      config,
      version: VERSION,
      signal,
    }),
  );
}

/** A session counts its turns over all of its runs; the flag counts only this one. */
function answersBefore({ isNew, journal }: HeldSession): number {
  if (isNew) return 0;
  return [...journal.records()].filter(({ event }) => event.kind === 'ASSISTANT_MESSAGE').length;
}

/** Requested limits that can't be enforced. */
function notHeld({ config, maxBudgetUsd }: HeadlessFlags, model: string): ReadonlyArray<string> {
  const fields = unknownFields(config).map((name) => `--config: no session has a field ${name}, so it does nothing.`);
  if (maxBudgetUsd === undefined || costOf(model, NO_USAGE) !== null) return fields;
  return [...fields, `no price of ${model} is known, so --max-budget-usd can't stop this run.`];
}

function exitCodeOf(
  ending: HeadlessEnding,
  { stop, failure }: { readonly stop: StopSignal; readonly failure: CommandFailure | null },
): number {
  if (stop.signal.aborted) return stop.exitCode();
  if (ending === 'interrupted') return EXIT.interrupted;
  if (failure !== null) return failure.exitCode;
  return ending === 'done' ? EXIT.done : EXIT.failed;
}
