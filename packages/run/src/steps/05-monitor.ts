import type { AgentMessage, AgentRunResult } from '@attractor/adapters';
import { appendEvents, setAgentProcess } from '@attractor/store';
import { nameProcess, signalTree } from '@attractor/system';
import { startClock } from './agent-clock.ts';
import {
  eventOf,
  resultOf,
  type RunContext,
  type StepOutcome,
  type StepResults,
  type AgentExchange,
} from '../run-context/run-context.ts';
import { watchSilence } from './stall-notice.ts';
import { watchTurn } from './turn-end.ts';

/** Judges how the agent's work ended: by itself, by timeout, by a person, by a budget, or by its own error. */
export async function monitor(context: RunContext): Promise<StepOutcome<StepResults['monitor']>> {
  const { result, endedBy } = resultOf(context, 'execute');
  const failure = judgeEnd({ result, endedBy });
  return failure === null ? { result: { endedBy } } : { failure };
}

export function judgeEnd({ result, endedBy }: AgentExchange) {
  if (endedBy === 'cancelled') return { code: 'cancelled', message: 'Stopped on request' } as const;
  if (endedBy === 'timeout') return { code: 'timeout', message: 'The agent took longer than its time limit' } as const;
  if (endedBy === 'budget')
    return { code: 'budget', message: result.error?.message ?? 'The budget of the run is used up' } as const;
  if (result.exitCode === 0 || endedBy === 'limit') return null;
  return {
    code: 'agent_failed',
    message: result.error?.message ?? `The agent ended with exit code ${result.exitCode}`,
    ...(result.error === undefined ? {} : { agentCode: result.error.code, retryable: result.error.retryable }),
  } as const;
}

const GRACE_MS = 5_000;

/** `leftMs`: how much of the run's time is left. */
export type Watching = { readonly leftMs: number; readonly stallNoticeMs: number };

/**
 * Watches one exchange with an agent. The clock stops while a person is asked. When the end is requested the agent has five seconds, then
 * its whole process tree is killed. A budget ends it only after its turn.
 */
export function watchRun(context: RunContext, { leftMs, stallNoticeMs }: Watching) {
  const [timeout, budget, left, interrupted] = [stopper(), stopper(), stopper(), stopper()];
  const hard = AbortSignal.any([timeout.signal, budget.signal, context.cancel, context.letGo]);
  const signal = AbortSignal.any([hard, left.signal, interrupted.signal]);
  const clock = startClock(leftMs, () => timeout.abort('timeout'));
  const silence = watchSilence(context, stallNoticeMs);
  // The conversation is left as it is, so that it can continue if a person allows more.
  const endTurn = (): void => budget.abort('shutdown');
  const turn = watchTurn(endTurn);
  let pid: number | null = null;
  let kept: Promise<void> = Promise.resolve();
  return {
    signal,
    clock,
    paused: async <Value>(work: () => Promise<Value>): Promise<Value> => {
      clock.pause();
      silence.pause();
      try {
        return await work();
      } finally {
        clock.resume();
        silence.resume();
      }
    },
    heard: (message: AgentMessage | null): void => {
      silence.heard();
      if (message !== null) turn.heard(message);
    },
    /** Ends the agent where it is; its conversation is left as it is. */
    leave: (): void => left.abort('shutdown'),
    /** Ends what the agent does now, because a person has something to say to it. */
    interrupt: (): void => interrupted.abort('interrupted'),
    endTurn,
    endAfterTurn: turn.endSoon,
    guardProcess: (assigned: number): void => {
      pid = assigned;
      kept = kept.then(() => keepProcess(context, assigned)).catch(() => undefined);
    },
    untilEnd: (work: Promise<AgentRunResult>): Promise<AgentRunResult> => withGrace(work, { signal, hard }, () => pid),
    endedBy: (result: AgentRunResult): AgentExchange['endedBy'] => {
      if (context.cancel.aborted) return 'cancelled';
      if (timeout.signal.aborted) return 'timeout';
      if (result.exitCode === 0) return 'agent';
      return budget.signal.aborted ? 'budget' : interrupted.signal.aborted ? 'interrupted' : 'agent';
    },
    stop: async (): Promise<void> => {
      clock.pause();
      silence.stop();
      turn.stop();
      await kept;
    },
  };
}

function stopper(): AbortController {
  return new AbortController();
}

/** Stored so that the next worker of the run can end what is left of the process, and a supervisor can see whether it lives. */
async function keepProcess(context: RunContext, pid: number): Promise<void> {
  const name = nameProcess(pid);
  const summary = `The agent is process ${pid}`;
  const started = eventOf(context, { type: 'agent.process_started', level: 'debug', summary, data: { pid } });
  await context.transact(async (tx) => {
    await setAgentProcess(tx, context.state.run.id, name);
    await appendEvents(tx, [started]);
  }, 'silent');
}

/** After `hard` nobody waits for the agent. Otherwise it will be called again, so it has to let go of its conversation first. */
type Signals = { readonly signal: AbortSignal; readonly hard: AbortSignal };

async function withGrace(
  work: Promise<AgentRunResult>,
  { signal, hard }: Signals,
  pidOf: () => number | null,
): Promise<AgentRunResult> {
  const over = Promise.withResolvers<AgentRunResult>();
  const timers: NodeJS.Timeout[] = [];
  const end = (): void => {
    signalAgent(pidOf, 'SIGTERM');
    timers.push(setTimeout(() => signalAgent(pidOf, 'SIGKILL'), GRACE_MS));
  };
  const giveUp = (): void => void timers.push(setTimeout(() => over.resolve(NOT_STOPPED), GRACE_MS));
  const forget = [onAbort(signal, end), onAbort(hard, giveUp)];
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    timers.forEach(clearTimeout);
    for (const stop of forget) stop();
  }
}

const NOT_STOPPED: AgentRunResult = {
  exitCode: 1,
  finalText: '',
  tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: null },
  error: { code: 'stopped', message: 'The agent did not stop by itself', retryable: false },
};

function signalAgent(pidOf: () => number | null, name: 'SIGTERM' | 'SIGKILL'): void {
  const pid = pidOf();
  if (pid !== null) signalTree(pid, name);
}

/** Returns what takes the listener away again. */
function onAbort(signal: AbortSignal, act: () => void): () => void {
  if (signal.aborted) act();
  else signal.addEventListener('abort', act, { once: true });
  return () => signal.removeEventListener('abort', act);
}
