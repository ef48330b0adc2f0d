/**
 * Counts failed sign-ins for each caller's address over one minute. Only failures are slowed down: whoever has the right secret is never
 * locked out by somebody else's guesses.
 */
export type FailedSignIns = {
  /** Records a failure; returns the seconds to wait if there were too many, otherwise null. */
  readonly note: (address: string) => number | null;
};

const ALLOWED = 10;
const WINDOW_MS = 60_000;
const ADDRESSES_KEPT = 1000;

/** `onSlowed` is called once for each address and minute. */
export function createFailedSignIns(now: () => number, onSlowed: (address: string) => void = () => {}): FailedSignIns {
  const windows = new Map<string, { started: number; count: number }>();
  return {
    note: (address) => {
      const known = windows.get(address);
      const open = known !== undefined && now() - known.started < WINDOW_MS;
      const current = open ? known : { started: now(), count: 0 };
      current.count += 1;
      windows.delete(address);
      windows.set(address, current);
      const oldest = windows.keys().next().value;
      if (windows.size > ADDRESSES_KEPT && oldest !== undefined) windows.delete(oldest);
      if (current.count <= ALLOWED) return null;
      if (current.count === ALLOWED + 1) onSlowed(address);
      return Math.max(1, Math.ceil((current.started + WINDOW_MS - now()) / 1000));
    },
  };
}
