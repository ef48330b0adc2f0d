import { isRecord } from '@attractor/base';
import type { OutputReport } from '@attractor/system';

/** Called when a program says that nobody need wait for it. `timeoutMs`: how long it may go on then. */
export type OnLeft = (timeoutMs: number | undefined) => void;

export type LeavableRun<Answer> = {
  /** Of who waits. */
  readonly signal: AbortSignal;
  /** Of everything that nobody waits for. */
  readonly ending: AbortSignal;
  readonly start: (signal: AbortSignal, onLeft: OnLeft) => Promise<Answer>;
};

/** What a program answers, or null once it says that nobody need wait; `whole` is its answer in both cases. */
export async function untilLeft<Answer>(
  run: LeavableRun<Answer>,
): Promise<{ readonly first: Answer | null; readonly whole: Promise<Answer> }> {
  const { promise: isLeft, resolve } = Promise.withResolvers<null>();
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  const follow = (signal: AbortSignal): void => {
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  };
  follow(run.signal);
  const whole = run.start(stopping.signal, (timeoutMs) => {
    run.signal.removeEventListener('abort', stop);
    follow(run.ending);
    if (timeoutMs !== undefined) setTimeout(stop, timeoutMs).unref();
    resolve(null);
  });
  const first = await Promise.race([whole, isLeft]);
  run.signal.removeEventListener('abort', stop);
  void whole.finally(() => run.ending.removeEventListener('abort', stop)).catch(() => undefined);
  return { first, whole };
}

/** Listens for `{"async": true}` in the first line of a program. */
export function hearingLeave(hear: OutputReport, onLeft: OnLeft | undefined): OutputReport {
  let line: string | null = '';
  return (text, of) => {
    hear(text, of);
    if (onLeft === undefined || line === null) return;
    line += of.stdout;
    const [first = '', ...more] = line.split('\n');
    const left = leftBy(first);
    if (left !== null) onLeft(left.timeoutMs);
    if (left !== null || more.length > 0 || line.length > MAX_LINE) line = null;
  };
}

const MAX_LINE = 10_000;

/** Null: the line does not say that nobody need wait. */
function leftBy(line: string): { readonly timeoutMs: number | undefined } | null {
  if (!/^\s*\{.*"async"/.test(line)) return null;
  try {
    const value: unknown = JSON.parse(line);
    if (!isRecord(value) || value['async'] !== true) return null;
    const { asyncTimeout } = value;
    return { timeoutMs: typeof asyncTimeout === 'number' && asyncTimeout > 0 ? asyncTimeout : undefined };
  } catch {
    return null;
  }
}

/** What it said after that line. */
export function withoutLeaving(stdout: string): string {
  const [first = '', ...rest] = stdout.trimStart().split('\n');
  return leftBy(first) === null ? stdout : rest.join('\n');
}
