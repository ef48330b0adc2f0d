/**
 * Counts the time that an agent works, rings when none is left, and stops while it is paused. `take` returns the time since the last call,
 * to be stored with the run: the next worker has only the rest.
 */
export function startClock(leftMs: number, ring: () => void) {
  let left = leftMs;
  let untold = 0;
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let pauses = 1;
  const count = (): void => {
    if (since === null) return;
    const now = performance.now();
    left -= now - since;
    untold += now - since;
    since = now;
  };
  const pause = (): void => {
    pauses += 1;
    count();
    clearTimeout(timer);
    since = null;
  };
  const resume = (): void => {
    pauses -= 1;
    if (pauses > 0) return;
    since = performance.now();
    if (Number.isFinite(left)) timer = setTimeout(ring, Math.min(Math.max(0, left), 2 ** 31 - 1));
  };
  const take = (): number => {
    count();
    const whole = Math.floor(untold);
    untold -= whole;
    return whole;
  };
  resume();
  return { pause, resume, take };
}
