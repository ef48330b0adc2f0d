import type { AgentRunResult } from '@attractor/adapters';
import { resultOf, type RunContext, type StepOutcome, type StepResults, type Talk } from './run-context.ts';

/** Judges how the agent's work ended: by itself, by the clock, by a person, or by an error of its own. */
export async function monitor(context: RunContext): Promise<StepOutcome<StepResults['monitor']>> {
  const { result, endedBy } = resultOf(context, 'execute');
  const failure = judgeEnd({ result, endedBy });
  return failure === null ? { result: { endedBy } } : { failure };
}

export function judgeEnd({ result, endedBy }: Talk) {
  if (endedBy === 'cancelled') return { code: 'cancelled', message: 'Stopped on request' } as const;
  if (endedBy === 'timeout') return { code: 'timeout', message: 'The agent took longer than its time limit' } as const;
  if (result.exitCode === 0) return null;
  return {
    code: 'agent_failed',
    message: result.error?.message ?? `The agent ended with exit code ${result.exitCode}`,
    ...(result.error === undefined ? {} : { agentCode: result.error.code }),
  } as const;
}

const GRACE_MS = 5_000;

/** Watches one exchange with an agent. The clock stands still while a person is asked; after the end is called for, the agent has five seconds. */
export function watchRun(context: RunContext, timeoutMs: number | undefined) {
  const timeout = new AbortController();
  const signal = AbortSignal.any([timeout.signal, context.cancel, context.letGo]);
  const clock = startClock(timeoutMs, () => timeout.abort('timeout'));
  let pid: number | null = null;
  return {
    signal,
    paused: async <Value>(work: () => Promise<Value>): Promise<Value> => {
      clock.pause();
      try {
        return await work();
      } finally {
        clock.resume();
      }
    },
    guardProcess: (assigned: number): void => {
      pid = assigned;
    },
    untilEnd: (work: Promise<AgentRunResult>): Promise<AgentRunResult> => withGrace(work, signal, () => killGroup(pid)),
    endedBy: (): Talk['endedBy'] =>
      context.cancel.aborted ? 'cancelled' : timeout.signal.aborted ? 'timeout' : 'agent',
    stop: (): void => clock.pause(),
  };
}

function startClock(limitMs: number | undefined, ring: () => void) {
  let left = limitMs ?? Infinity;
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pauses = 1;
  const pause = (): void => {
    pauses += 1;
    if (since === null) return;
    clearTimeout(timer);
    left -= performance.now() - since;
    since = null;
  };
  const resume = (): void => {
    pauses -= 1;
    if (pauses > 0 || !Number.isFinite(left)) return;
    since = performance.now();
    timer = setTimeout(ring, Math.min(Math.max(0, left), 2 ** 31 - 1));
  };
  resume();
  return { pause, resume };
}

async function withGrace(
  work: Promise<AgentRunResult>,
  signal: AbortSignal,
  kill: () => void,
): Promise<AgentRunResult> {
  const over = Promise.withResolvers<AgentRunResult>();
  let timer: NodeJS.Timeout | undefined;
  const begin = (): void => {
    timer = setTimeout(() => {
      kill();
      over.resolve({
        exitCode: 1,
        finalText: '',
        tokenUsage: { inputTokens: 0, outputTokens: 0, totalCost: null },
        error: { code: 'stopped', message: 'The agent did not stop by itself', retryable: false },
      });
    }, GRACE_MS);
  };
  if (signal.aborted) begin();
  else signal.addEventListener('abort', begin, { once: true });
  try {
    return await Promise.race([work, over.promise]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', begin);
  }
}

function killGroup(pid: number | null): void {
  if (pid === null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}
