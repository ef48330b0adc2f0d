/**
 * How often each place was requested, the only thing about a conversation that is remembered. It only decides which faults still apply.
 * Bounded: the oldest places are dropped first.
 */
export interface RequestCounts {
  /** 1 for the first request at this place. */
  next(place: string): number;
  clear(): void;
}

const LIMIT = 200_000;

export function createRequestCounts(): RequestCounts {
  const counts = new Map<string, number>();
  return {
    next(place) {
      const attempt = (counts.get(place) ?? 0) + 1;
      counts.set(place, attempt);
      if (counts.size > LIMIT) counts.delete(counts.keys().next().value ?? place);
      return attempt;
    },
    clear: () => counts.clear(),
  };
}
