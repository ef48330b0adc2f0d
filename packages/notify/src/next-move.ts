import type { Delivery } from '@attractor/store';

/** The next move for a channel. One delivery at a time is under way, in order. */
export type NextMove =
  | { readonly do: 'nothing' }
  | { readonly do: 'send'; readonly delivery: Delivery }
  | { readonly do: 'digest'; readonly deliveries: ReadonlyArray<Delivery> };

export type MoveFacts = {
  /** By the store's clock. */
  readonly now: number;
  readonly isQuiet: boolean;
  readonly ownerOf: (owner: string) => 'alive' | 'dead' | 'unknown';
};

/** No wait is longer: a time further ahead was written before the clock restarted. */
export const LONGEST_WAIT_MS = 10 * 60_000;
const MANY = 20;
const NOTHING: NextMove = { do: 'nothing' };

/** `open` is oldest first. Pure: the caller checks again inside a transaction. */
export function nextMove(open: ReadonlyArray<Delivery>, facts: MoveFacts): NextMove {
  const held = open.filter(({ state }) => state === 'held');
  if (!facts.isQuiet && held.length > 0) return { do: 'digest', deliveries: held };
  const way = open.filter((delivery) => delivery.state !== 'held' && (!facts.isQuiet || isCritical(delivery)));
  if (way.some((delivery) => isBeingSent(delivery, facts))) return NOTHING;
  if (way.some(({ notBefore }) => isAhead(notBefore, facts.now))) return NOTHING;
  const fresh = way.filter(({ attempts, notification }) => attempts === 0 && notification.prompt === null);
  if (fresh.length > MANY) return { do: 'digest', deliveries: fresh };
  const [head] = way;
  return head === undefined ? NOTHING : { do: 'send', delivery: head };
}

function isCritical({ notification }: Delivery): boolean {
  return notification.critical;
}

function isBeingSent({ state, owner, leaseUntil }: Delivery, { now, ownerOf }: MoveFacts): boolean {
  if (state !== 'sending' || owner === null) return false;
  const fate = ownerOf(owner);
  return fate !== 'dead' && isAhead(leaseUntil, now);
}

function isAhead(time: number | null, now: number): boolean {
  return time !== null && time > now && time - now <= LONGEST_WAIT_MS;
}

/** How long a channel may take, and how long it rests after the first failure. */
export type Pace = { readonly sendMs: number; readonly firstWaitMs: number };

export const PACE: Pace = { sendMs: 10_000, firstWaitMs: 5_000 };
const WAIT_GROWTH = 4;

/** How long to wait after the given number of failures. */
export function backOff(attempts: number, { firstWaitMs }: Pace, asked = 0): number {
  const own = firstWaitMs * WAIT_GROWTH ** Math.max(0, attempts - 1);
  return Math.min(LONGEST_WAIT_MS, Math.max(own, asked));
}
