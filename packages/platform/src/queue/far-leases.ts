import type { Job } from '@attractor/store';

/**
 * Leases that end later than any that begins now: they were written before the clock of the database went back, such as by a standby that
 * took over. Whoever lives writes another one soon; one that stays as it is for the time of a lease, by our own clock, is nobody's.
 */
export function createFarLeases(leaseMs: number) {
  const seen = new Map<string, { readonly leaseUntil: number; readonly at: number }>();
  return {
    /** `now` is the clock of leases. */
    isNobodys: ({ id, leaseUntil }: Job, now: number): boolean => {
      if (leaseUntil === null || leaseUntil <= now + 2 * leaseMs) {
        seen.delete(id);
        return false;
      }
      const known = seen.get(id);
      if (known?.leaseUntil === leaseUntil) return performance.now() - known.at > leaseMs;
      seen.set(id, { leaseUntil, at: performance.now() });
      return false;
    },
  };
}

export type FarLeases = ReturnType<typeof createFarLeases>;
