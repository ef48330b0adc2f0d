import { messageOf } from '@attractor/base';
import type { FunctionHandler, HandlerEnd, HookInput } from '@attractor/settings';

export type FunctionRun = { readonly input: HookInput; readonly timeoutMs: number; readonly signal: AbortSignal };

/** Calls the function with a copy of the input. If it ignores its signal it is not waited for. Never rejects. */
export async function runFunction(handler: FunctionHandler, run: FunctionRun): Promise<HandlerEnd> {
  const started = performance.now();
  const durationMs = (): number => Math.round(performance.now() - started);
  const deadline = AbortSignal.timeout(run.timeoutMs);
  const signal = AbortSignal.any([deadline, run.signal]);
  const ended = Promise.withResolvers<HandlerEnd>();
  const onEnd = (): void =>
    ended.resolve(
      run.signal.aborted
        ? { kind: 'cancelled', durationMs: durationMs() }
        : { kind: 'timeout', timeoutMs: run.timeoutMs, durationMs: durationMs() },
    );
  signal.addEventListener('abort', onEnd, { once: true });
  if (signal.aborted) onEnd();
  const answered = (async (): Promise<HandlerEnd> => {
    try {
      const answer = await handler.run(structuredClone(run.input), { signal });
      return { kind: 'answer', answer: answer ?? undefined, durationMs: durationMs() };
    } catch (error) {
      const message = messageOf(error);
      return { kind: 'error', message, durationMs: durationMs() };
    }
  })();
  return Promise.race([answered, ended.promise]).finally(() => signal.removeEventListener('abort', onEnd));
}
