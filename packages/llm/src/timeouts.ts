import { abortError } from './errors/provider-error.ts';
import { LlmError } from './types/error.ts';
import type { ModelProvider } from './types/provider.ts';
import type { Request, Timeouts } from './types/request.ts';
import type { StreamEvent } from './types/stream.ts';

const DEFAULT_IDLE_MS = 120_000;

/**
 * One attempt under its idle limit: the time spent waiting since the last event with content. Pings, empty deltas and mere announcements do
 * not count, nor does the consumer's own time. Ends at once on abort, even if the provider does not notice.
 */
export async function* withIdleLimit(provider: ModelProvider, request: Request): AsyncGenerator<StreamEvent> {
  const idleMs = request.timeouts?.idle ?? DEFAULT_IDLE_MS;
  const guard = createGuard(request.abortSignal);
  const iterator = provider.stream({ ...request, abortSignal: guard.signal })[Symbol.asyncIterator]();
  const idle = createIdleClock(idleMs, () => guard.abort(idleError(provider.id, idleMs)));
  let over = false;
  try {
    for (;;) {
      const next = iterator.next();
      idle.wait();
      const result = await Promise.race([next, guard.aborted]);
      if (result === 'aborted') {
        yield* await lastWords({ iterator, next }, guard.signal, provider.id);
        return;
      }
      over = result.done === true;
      if (result.done) return;
      idle.pause(isMeaningful(result.value) ? 'begin anew' : 'go on');
      yield result.value;
    }
  } finally {
    idle.stop();
    guard.release();
    if (!over) void iterator.return?.(undefined).catch(() => undefined);
  }
}

type IdleClock = {
  readonly wait: () => void;
  readonly pause: (then: 'begin anew' | 'go on') => void;
  readonly stop: () => void;
};

/** Adds up the time between `wait` and `pause`. One timer for a whole answer: when it fires, it checks what is left. */
function createIdleClock(limitMs: number, onIdle: () => void): IdleClock {
  let leftMs = limitMs;
  let since: number | null = null;
  const look = (): void => {
    const waitedMs = since === null ? 0 : performance.now() - since;
    if (waitedMs < leftMs) timer = setTimeout(look, Math.ceil(leftMs - waitedMs));
    else onIdle();
  };
  let timer = setTimeout(look, limitMs);
  return {
    wait: () => {
      since = performance.now();
    },
    pause: (then) => {
      leftMs =
        then === 'begin anew' ? limitMs : Math.max(1, leftMs - (performance.now() - (since ?? performance.now())));
      since = null;
    },
    stop: () => clearTimeout(timer),
  };
}

/** A signal that follows `outer` and also aborts after `total` milliseconds, with an error that says so. */
export function totalLimit(
  provider: string,
  outer: AbortSignal | undefined,
  timeouts: Timeouts | undefined,
): { readonly signal: AbortSignal | undefined; readonly release: () => void } {
  const total = timeouts?.total;
  if (total === undefined) return { signal: outer, release: () => undefined };
  const guard = createGuard(outer);
  const timer = setTimeout(() => guard.abort(totalError(provider, total)), total);
  return {
    signal: guard.signal,
    release: () => {
      clearTimeout(timer);
      guard.release();
    },
  };
}

type Guard = {
  readonly signal: AbortSignal;
  readonly aborted: Promise<'aborted'>;
  readonly abort: (reason: unknown) => void;
  readonly release: () => void;
};

function createGuard(outer: AbortSignal | undefined): Guard {
  const controller = new AbortController();
  const follow = (): void => controller.abort(outer?.reason);
  const aborted = new Promise<'aborted'>((resolve) => {
    controller.signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
  if (outer?.aborted) follow();
  else outer?.addEventListener('abort', follow, { once: true });
  return {
    signal: controller.signal,
    aborted,
    abort: (reason) => controller.abort(reason),
    release: () => outer?.removeEventListener('abort', follow),
  };
}

type Waiting = { readonly iterator: AsyncIterator<StreamEvent>; readonly next: Promise<IteratorResult<StreamEvent>> };

/** The provider's own last event knows what had arrived; a provider that does not react to the abort soon is not waited for. */
async function lastWords({ iterator, next }: Waiting, signal: AbortSignal, provider: string): Promise<StreamEvent[]> {
  const patience = new Promise<'late'>((resolve) => {
    setTimeout(() => resolve('late'), 250).unref();
  });
  const words: StreamEvent[] = [];
  for (let pending = next; ; pending = iterator.next()) {
    const result = await Promise.race([pending.catch(() => 'late' as const), patience]);
    if (result === 'late' || result.done === true)
      return [...words, { kind: 'ERROR', error: abortError(signal, provider) }];
    words.push(result.value);
    if (result.value.kind === 'ERROR' || result.value.kind === 'FINISH') return words;
  }
}

function isMeaningful(event: StreamEvent): boolean {
  switch (event.kind) {
    case 'TEXT_DELTA':
    case 'THINKING_DELTA':
      return event.text !== '';
    case 'TOOL_CALL_DELTA':
      return event.argsDelta !== '';
    case 'TOOL_CALL_START':
    case 'TOOL_CALL_END':
    case 'FINISH':
    case 'ERROR':
      return true;
    default:
      return false;
  }
}

function idleError(provider: string, ms: number): LlmError {
  return new LlmError({
    code: 'timeout',
    message: `${provider}: nothing arrived for ${ms / 1000} s. Ask again, or raise the idle timeout.`,
    retryable: true,
    provider,
  });
}

function totalError(provider: string, ms: number): LlmError {
  return new LlmError({
    code: 'timeout',
    message: `${provider}: no complete answer within ${ms / 1000} s. Ask for less, or raise the total timeout.`,
    retryable: false,
    provider,
  });
}
