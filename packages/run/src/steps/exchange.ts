import { join } from 'node:path';
import { defined, messageOf } from '@attractor/base';
import type { Agent, AgentRunOptions, AgentRunResult, PersonMessage } from '@attractor/adapters';
import { holdToBudget, reachedBudget } from '../budget/hold-to-budget.ts';
import { judgePayload, readClaims, readPayload, readTodo } from '@attractor/pipeline';
import { findMeter, setAgentProcess } from '@attractor/store';
import { endLeftover } from '@attractor/system';
import { watchRun } from './05-monitor.ts';
import { agentFolder } from './agent-folder.ts';
import { settleUsage } from '../run-context/agent-usage.ts';
import { confined } from '../run-context/confinement.ts';
import { openMessageLog } from './message-log.ts';
import { redactMessages } from './redact-messages.ts';
import { LetGo, resultOf, type RunContext, type AgentExchange } from '../run-context/run-context.ts';
import { askForTool } from './tool-approval.ts';
import { textsOfChecks } from './trusted-checks.ts';
import { agentOf } from './agent-of-run.ts';
import { changesNow, followPerson } from './follow-person.ts';
import { limitOf } from './stage-limit.ts';
import { messageAtWork, openMessages, takeNextMessage } from './person-messages.ts';
import { createWaiting, type Waiting } from './wait-for-answer.ts';

const READ_ONLY_MODES: ReadonlySet<string> = new Set(['clarify', 'plan', 'review', 'investigate', 'design']);

type Input = {
  readonly prompt: string;
  readonly inputKey?: string;
  /** At most this many rounds of tools, and no longer than a repair may take. */
  readonly maxToolRounds?: number;
};

/**
 * One exchange with the run's agent: the run's prompt or, with `inputKey`, one more input in the same conversation. If a budget is reached
 * in between, the agent continues the conversation once a person allows more; otherwise the exchange ends there. What people say meanwhile
 * belongs to it: what an agent can't be told while it works is its next input.
 */
export async function exchangeWithAgent(context: RunContext, input: Input): Promise<AgentExchange> {
  const agent = await agentOf(context);
  if (agent === null) throw new Error(`The agent ${resultOf(context, 'configure').agentType} is gone`);
  let usedMs = await endWhatIsLeft(context);
  for (;;) {
    const refusal = await holdToBudget(context);
    letGoIfAsked(context);
    if (refusal !== null) {
      const endedBy = context.cancel.aborted ? 'cancelled' : 'budget';
      return settle(context, { result: notStarted('budget', refusal), endedBy });
    }
    const talk = await exchange(context, { ...(await inputNow(context, input)), agent, usedMs });
    const isNotOver = talk.endedBy === 'budget' || (await goesOn(context, { agent, input, talk }));
    if (!isNotOver) return settle(context, talk);
    usedMs = (await findMeter(context.services.store.read, context.state.run.id))?.agent_ms ?? 0;
  }
}

/** After the run's prompt, each message that was made an input is the current one. */
async function inputNow(context: RunContext, input: Input): Promise<Input> {
  const message = input.inputKey === undefined ? await messageAtWork(context) : null;
  return message === null ? input : { prompt: message.text, inputKey: message.key };
}

type Ended = { readonly agent: Agent; readonly input: Input; readonly talk: AgentExchange };

/** Whether the agent is called again because a person said something. */
async function goesOn(context: RunContext, { agent, input, talk }: Ended): Promise<boolean> {
  const isOver = talk.endedBy === 'interrupted' || (talk.endedBy === 'agent' && talk.result.exitCode === 0);
  return isOver && input.inputKey === undefined && takeNextMessage(context, agent);
}

/** Told while the agent can fix it; later it is no reason to lose work that is done. */
function claimProblem(context: RunContext, payload: unknown): string | null {
  const { criteria = [], todo = [] } = resultOf(context, 'context');
  const reads = [readClaims(payload, criteria), readTodo(payload, todo)];
  return reads.flatMap((read) => ('problem' in read ? [read.problem] : []))[0] ?? null;
}

/**
 * A dead worker may have left its agent's process running: there must never be a second one beside it. Returns how long the run's agents
 * have worked.
 */
async function endWhatIsLeft({ services, state }: RunContext): Promise<number> {
  const meter = await findMeter(services.store.read, state.run.id);
  if (meter !== null && meter.agent_process !== null) await endLeftover(meter.agent_process);
  return meter?.agent_ms ?? 0;
}

function letGoIfAsked({ letGo }: RunContext): void {
  if (letGo.aborted) throw new LetGo(String(letGo.reason));
}

/** The run's usage is what is on disk, whatever the agent reports at its end. */
async function settle(context: RunContext, talk: AgentExchange): Promise<AgentExchange> {
  const { run } = context.state;
  const tokenUsage = await context.transact(async (tx) => {
    await setAgentProcess(tx, run.id, null);
    return settleUsage(tx, run, talk.result);
  });
  return { ...talk, result: { ...talk.result, tokenUsage } };
}

const DEFAULT_STALL_MS = 5 * 60_000;
const DEFAULT_REPAIR_MS = 5 * 60_000;
const KEEP_TIME_MS = 5_000;

type Called = Input & { readonly agent: Agent; readonly usedMs: number };

async function exchange(context: RunContext, input: Called): Promise<AgentExchange> {
  const { services } = context;
  const { agent, usedMs } = input;
  const changes = await changesNow(context);
  const messages = agent.steer === undefined ? [] : [...movedNote(context), ...(await openMessages(context))];
  const config = { ...resultOf(context, 'configure').config, ...changes };
  const leftMs = (config.timeout ?? Infinity) - usedMs;
  const ownMs = input.maxToolRounds === undefined ? Infinity : (services.repairMs ?? DEFAULT_REPAIR_MS);
  const words = redactMessages(services.secrets);
  const watch = watchRun(context, {
    leftMs: Math.min(leftMs, ownMs),
    stallNoticeMs: services.stallNoticeMs ?? DEFAULT_STALL_MS,
  });
  const log = openMessageLog(context, {
    takeTime: watch.clock.take,
    onSpent: () => void endWhenReached(context, watch.endAfterTurn),
    onFailed: watch.leave,
  });
  const waiting = createWaiting(context, watch.leave);
  // After an interruption the agent gets what was said as an input of its own; a repair has none.
  const canBeInterrupted = agent.say !== undefined && input.maxToolRounds === undefined;
  const person = followPerson(context, {
    agent,
    given: { changes, messages },
    onInterrupt: canBeInterrupted ? watch.interrupt : undefined,
  });
  const timer = setInterval(log.keepTime, KEEP_TIME_MS).unref();
  try {
    const options: Omit<AgentRunOptions, 'sandbox' | 'setup'> = {
      ...optionsFor(context, input.prompt),
      ...listeners(context, { watch, log, words, waiting }),
      ...defined({ ...(await held(context)), maxToolRounds: input.maxToolRounds }),
      messages,
      onTaken: person.taken,
      config,
      judgeOutcome: (outcome, payload) =>
        judgePayload(resultOf(context, 'context').outcomes, outcome, readPayload(outcome, payload)) ??
        claimProblem(context, payload),
    };
    const result = await confined(context, options.projectPath, (allowed) =>
      'refused' in allowed
        ? Promise.resolve(notStarted('no_sandbox', allowed.refused))
        : watch.untilEnd(callAgent(agent, { ...options, ...allowed }, input.inputKey)),
    );
    await watch.stop();
    await person.stop();
    await log.drained();
    letGoIfAsked(context);
    if (!context.cancel.aborted) waiting.stop();
    const endedBy = watch.endedBy(result);
    const isOwnLimit = endedBy === 'timeout' ? ownMs < leftMs : hitRounds(input, result);
    return { result: words.result(result), endedBy: isOwnLimit ? 'limit' : endedBy };
  } finally {
    services.live.forget(context.state.run.id);
    clearInterval(timer);
    await person.stop();
    await watch.stop();
  }
}

/** To its part of the work, and to the steps of the plan. */
async function held(context: RunContext): Promise<Pick<AgentRunOptions, 'limit' | 'todo' | 'hostFiles'>> {
  const hostFiles = HOST_FILES.map((name) => join(context.services.home, name));
  return { hostFiles, ...defined({ limit: await limitOf(context), todo: resultOf(context, 'context').steps }) };
}

/** The token, where the server is, and who is signed in. */
const HOST_FILES = ['token', 'server.json', 'attractor.db', 'attractor.db-wal'];

/** What was done after the last copy of the worktree was made is known to the conversation and not to the worktree. */
function movedNote({ state, claim }: RunContext): ReadonlyArray<PersonMessage> {
  if (!state.isMoved) return [];
  const text =
    'The machine that this work was done on is gone, and it goes on here. The folder holds what was saved of it last: ' +
    'the newest changes to files may be missing. Look at the files before you rely on them, and make again what is missing.';
  return [{ key: `moved:${claim.fence}`, text }];
}

function hitRounds({ maxToolRounds }: Input, { error }: AgentRunResult): boolean {
  return maxToolRounds !== undefined && error?.code === 'turn_limit';
}

type RunListeners = {
  readonly watch: ReturnType<typeof watchRun>;
  readonly log: ReturnType<typeof openMessageLog>;
  readonly words: ReturnType<typeof redactMessages>;
  readonly waiting: Waiting;
};

function listeners(
  context: RunContext,
  { watch, log, words, waiting }: RunListeners,
): Pick<
  AgentRunOptions,
  'onMessage' | 'onDelta' | 'approve' | 'beforeTurn' | 'confirmStart' | 'abortSignal' | 'onPidAssigned'
> {
  const place = { taskId: context.task.id, runId: context.state.run.id };
  return {
    onMessage: (message) => {
      watch.heard(message);
      waiting.heard();
      const shown = words.message(message);
      context.services.live.settle(place.runId, shown);
      log.add(shown);
    },
    onDelta: (delta) => {
      watch.heard(null);
      const shown = words.delta(delta);
      if (shown !== null) context.services.live.send({ ...place, delta: shown });
    },
    approve: (request, asking) =>
      watch.paused(() =>
        askForTool(context, { request: words.approval(request), asking }, { waiting, signal: watch.signal }),
      ),
    // A failure of the log appears at the end of the exchange.
    beforeTurn: () =>
      log.drained().then(
        () => endWhenReached(context, watch.endTurn),
        () => undefined,
      ),
    confirmStart: log.confirmed,
    abortSignal: watch.signal,
    onPidAssigned: watch.guardProcess,
  };
}

/** The next answer's check makes up for a failed one. */
async function endWhenReached({ services, state }: RunContext, end: () => void): Promise<void> {
  try {
    const reached = await reachedBudget(services.store.read, state.run, new Date().toISOString());
    if (reached !== null) end();
  } catch {
    // The database is unreachable: the run itself will report that.
  }
}

function optionsFor(
  context: RunContext,
  prompt: string,
): Pick<
  AgentRunOptions,
  'runId' | 'projectPath' | 'checks' | 'prompt' | 'outcomes' | 'statePath' | 'isFirstClaim' | 'readOnly' | 'env'
> {
  const { services, task, state } = context;
  const { worktree } = resultOf(context, 'prepare');
  const { author } = services;
  return {
    runId: state.run.id,
    projectPath: worktree.path,
    checks: textsOfChecks(context),
    prompt,
    outcomes: resultOf(context, 'context').outcomes,
    statePath: agentFolder(context),
    isFirstClaim: context.claim.fence === 1,
    readOnly: READ_ONLY_MODES.has(state.run.mode),
    env: {
      ...services.env,
      GIT_AUTHOR_NAME: author.name,
      GIT_AUTHOR_EMAIL: author.email,
      GIT_COMMITTER_NAME: author.name,
      GIT_COMMITTER_EMAIL: author.email,
      ATTRACTOR_PROJECT_ID: task.projectId,
      ATTRACTOR_TASK_ID: task.id,
      ATTRACTOR_WORKDIR: worktree.path,
    },
  };
}

/** An agent must not throw; if it does, the run still ends properly. */
async function callAgent(
  agent: Agent,
  options: AgentRunOptions,
  inputKey: string | undefined,
): Promise<AgentRunResult> {
  try {
    if (inputKey === undefined) return await agent.run(options);
    if (agent.say === undefined) throw new Error(`${agent.displayName} takes no further input`);
    return await agent.say({ ...options, inputKey });
  } catch (error) {
    if (error instanceof LetGo) throw error;
    return failed('threw', messageOf(error));
  }
}

/** Nothing ran, so nothing was used. */
function notStarted(code: string, message: string): AgentRunResult {
  const result = failed(code, message);
  return { ...result, tokenUsage: { ...result.tokenUsage, totalCost: 0 } };
}

function failed(code: string, message: string): AgentRunResult {
  return {
    exitCode: 1,
    finalText: '',
    tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: null },
    error: { code, message, retryable: false },
  };
}
