import { LlmError } from '../types/error.ts';
import { abortedError } from './failure.ts';

/**
 * One signal for a span of work: the outer signal or the span's own time limit, whichever comes first.
 * `error()` says which of them ended it; `close()` must be called, and releases the signal's listeners.
 */
export type Deadline = {
  readonly signal: AbortSignal;
  readonly error: () => LlmError | undefined;
  readonly close: () => void;
};

export type DeadlineOptions = {
  readonly outer?: AbortSignal | undefined;
  readonly limitMs?: number | undefined;
  /** The subject of the message: "The generation". */
  readonly what: string;
};

export function startDeadline({ outer, limitMs, what }: DeadlineOptions): Deadline {
  const controller = new AbortController();
  let failure: LlmError | undefined;
  const end = (error: LlmError): void => {
    failure ??= error;
    controller.abort(error);
  };
  const onAbort = (): void => end(abortedError(outer?.reason));
  const timer = limitMs === undefined ? undefined : setTimeout(() => end(timeoutError(what, limitMs)), limitMs);
  if (outer?.aborted) onAbort();
  else outer?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    error: () => failure,
    close: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', onAbort);
      controller.abort();
    },
  };
}

/** Ends as soon as the signal fires, even if the work ignores it. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason instanceof LlmError ? signal.reason : abortedError(signal.reason));
  if (signal.aborted) onAbort();
  else signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function timeoutError(what: string, limitMs: number): LlmError {
  const message = `${what} took longer than its limit of ${limitMs} ms. Raise the limit or ask for less.`;
  return new LlmError({ code: 'timeout', message, retryable: false });
}
