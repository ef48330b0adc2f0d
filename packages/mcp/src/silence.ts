/** How long nothing may be heard. Time does not count while it is held: a person is thinking. */
export type Silence = {
  readonly signal: AbortSignal;
  readonly heard: () => void;
  readonly hold: () => () => void;
  readonly end: () => void;
};

/** Aborts after `ms` of silence, and after `totalMs` in any case. */
export function createSilence(ms: number, totalMs: number, outer?: AbortSignal): Silence {
  const stopper = new AbortController();
  let holds = 0;
  let isEnded = false;
  let timer: NodeJS.Timeout | undefined;
  const expire = (): void => stopper.abort(new Error('timeout'));
  const arm = (): void => {
    clearTimeout(timer);
    if (holds === 0 && !isEnded && !stopper.signal.aborted) timer = setTimeout(expire, ms);
  };
  let left = totalMs;
  let since = performance.now();
  let total = setTimeout(expire, left);
  const onOuter = (): void => stopper.abort(outer?.reason);
  if (outer?.aborted === true) onOuter();
  outer?.addEventListener('abort', onOuter, { once: true });
  arm();
  return {
    signal: stopper.signal,
    heard: arm,
    hold: () => {
      if (holds++ === 0) {
        clearTimeout(timer);
        clearTimeout(total);
        left -= performance.now() - since;
      }
      return () => {
        if (--holds > 0 || isEnded) return;
        since = performance.now();
        total = setTimeout(expire, Math.max(0, left));
        arm();
      };
    },
    end: () => {
      isEnded = true;
      clearTimeout(timer);
      clearTimeout(total);
      outer?.removeEventListener('abort', onOuter);
    },
  };
}
