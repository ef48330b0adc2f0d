import { LlmError } from './types/error.ts';
import type { StreamEvent } from './types/stream.ts';
import { addUsage, NO_USAGE, type Usage } from './types/usage.ts';

/**
 * Delays are `baseMs × factor^n`, at most `maxDelayMs`, times a jitter of 0.5 to 1.5. A provider's own delay is followed up to
 * `maxDelayMs`.
 */
export type RetryPolicy = {
  /** Beyond the first attempt; 0 switches retries off. */
  readonly maxRetries?: number;
  readonly baseMs?: number;
  readonly factor?: number;
  readonly maxDelayMs?: number;
  readonly onRetry?: (retry: Retry) => void;
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly random?: () => number;
};

export type Retry = { readonly error: LlmError; readonly attempt: number; readonly delayMs: number };

/** Retries an action while it fails with a retryable `LlmError`; anything else is thrown at once. */
export async function retry<T>(action: () => Promise<T>, policy: RetryPolicy = {}, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof LlmError)) throw error;
      const delayMs = delayBefore(error, attempt, policy);
      if (delayMs === undefined) throw error;
      await pause({ error, attempt, delayMs }, policy, signal);
    }
  }
}

/**
 * A stream that is retried while nothing of it was shown: events are held until the first one with output, and an attempt that fails before
 * that is dropped. An answer without any content counts as a failure too, until the retries are used up. There is no retry after output.
 */
export async function* retryStream(
  open: () => AsyncIterable<StreamEvent>,
  policy: RetryPolicy,
  signal?: AbortSignal,
): AsyncGenerator<StreamEvent> {
  let spent: Usage = NO_USAGE;
  for (let attempt = 1; ; attempt += 1) {
    let held: StreamEvent[] | undefined = [];
    let next: Retry | undefined;
    for await (const event of open()) {
      const failure = held === undefined ? undefined : failureOf(event);
      const delayMs = failure === undefined ? undefined : delayBefore(failure, attempt, policy);
      if (failure !== undefined && delayMs !== undefined) {
        if (event.kind === 'FINISH') spent = addUsage(spent, event.usage);
        next = { error: failure, attempt, delayMs };
        break;
      }
      if (held !== undefined && !showsOutput(event)) {
        held.push(event);
        continue;
      }
      if (held !== undefined) yield* held;
      held = undefined;
      yield event.kind === 'FINISH' ? withSpent(event, spent) : event;
    }
    if (next === undefined) return;
    const aborted = await pause(next, policy, signal).then(() => undefined, asLlmError);
    if (aborted !== undefined) {
      yield { kind: 'STREAM_START' };
      yield { kind: 'ERROR', error: aborted };
      return;
    }
  }
}

/** Undefined: do not retry. */
function delayBefore(error: LlmError, attempt: number, policy: RetryPolicy): number | undefined {
  const { maxRetries = 2, baseMs = 1000, factor = 2, maxDelayMs = 60_000, random = Math.random } = policy;
  if (!error.retryable || attempt > maxRetries) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs > maxDelayMs ? undefined : error.retryAfterMs;
  return Math.min(maxDelayMs, Math.min(maxDelayMs, baseMs * factor ** (attempt - 1)) * (0.5 + random()));
}

async function pause(next: Retry, policy: RetryPolicy, signal: AbortSignal | undefined): Promise<void> {
  policy.onRetry?.(next);
  await (policy.sleep ?? sleep)(next.delayMs, signal);
}

/** Rejects with the signal's reason as soon as it aborts. */
function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(abortOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}

function abortOf(signal: AbortSignal | undefined): LlmError {
  const reason: unknown = signal?.reason;
  return reason instanceof LlmError
    ? reason
    : new LlmError({
        code: 'abort',
        message: 'The request was cancelled while waiting to try again.',
        retryable: false,
        cause: reason,
      });
}

function asLlmError(error: unknown): LlmError {
  return error instanceof LlmError
    ? error
    : new LlmError({
        code: 'abort',
        message: 'The wait before a retry was interrupted.',
        retryable: false,
        cause: error,
      });
}

function failureOf(event: StreamEvent): LlmError | undefined {
  if (event.kind === 'ERROR') return event.error;
  if (event.kind !== 'FINISH' || event.response.message.content.length > 0) return undefined;
  const { reason } = event.finishReason;
  if (reason !== 'stop' && reason !== 'other') return undefined;
  return new LlmError({
    code: 'stream',
    message: 'The answer was empty.',
    retryable: true,
    provider: event.response.provider,
  });
}

function showsOutput(event: StreamEvent): boolean {
  switch (event.kind) {
    case 'TEXT_DELTA':
    case 'THINKING_DELTA':
      return event.text !== '';
    case 'TOOL_CALL_START':
    case 'FINISH':
    case 'ERROR':
      return true;
    default:
      return false;
  }
}

function withSpent(event: Extract<StreamEvent, { kind: 'FINISH' }>, spent: Usage): StreamEvent {
  if (spent.totalTokens === 0) return event;
  const usage = addUsage(spent, event.usage);
  return { ...event, usage, response: { ...event.response, usage } };
}
