import { defined } from '@attractor/base';
import type { SessionEvent } from '../types/index.ts';
import type { Run } from './run.ts';

const DEFAULT_PATIENCE_MS = 10 * 60_000;
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 15_000;

/**
 * Waits out a lost network or an overloaded service: time passes, but the reply's retries are not used up. The clock is monotonic, so a suspended machine does not
 * lose patience.
 */
export type Outage = {
  /** Waits a while; false if the patience is used up or the session ends. */
  readonly wait: (run: Run, failure: Failed) => AsyncGenerator<SessionEvent, boolean>;
  readonly over: () => Generator<SessionEvent, void>;
};

type Failed = { readonly message: string; readonly status: number | undefined };

export function createOutage(patienceMs = DEFAULT_PATIENCE_MS): Outage {
  let since: number | null = null;
  let pause = FIRST_PAUSE_MS;
  let attempt = 0;
  return {
    async *wait(run, { message, status }) {
      attempt = since === null ? 1 : attempt + 1;
      since ??= performance.now();
      const left = patienceMs - (performance.now() - since);
      if (left <= 0) return false;
      const retryInMs = Math.ceil(Math.min(pause, left));
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
      yield { kind: 'CONNECTION_LOST', message, retryInMs, attempt, ...defined({ status }) };
      await passing(retryInMs, run.signal);
      return run.ending() === null;
    },
    *over() {
      if (since !== null) yield { kind: 'CONNECTION_RESTORED', attempts: attempt };
      since = null;
    },
  };
}

/** Resolves early when the signal fires. */
function passing(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = (): void => resolve();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  });
}
