import type { SessionEvent } from '@attractor/agent';
import type { Line } from '../themes/line.ts';

/** By event: the finished lines that it gives. An event that is not there gives none. */
export type Handlers = {
  readonly [Kind in SessionEvent['kind']]?: (
    event: Extract<SessionEvent, { readonly kind: Kind }>,
  ) => ReadonlyArray<Line>;
};

/** Null: nobody handles it. */
export function handled(handlers: Handlers, event: SessionEvent): ReadonlyArray<Line> | null {
  const handle = handlers[event.kind] as ((event: SessionEvent) => ReadonlyArray<Line>) | undefined;
  return handle?.(event) ?? null;
}

/** Something long of which one line was shown. */
export type Fold = { readonly title: string; readonly text: string };

/** A part of a conversation's telling: what it makes of events, and what of it is under way. */
export type Part = { readonly handlers: Handlers; readonly live: () => ReadonlyArray<Line> };

export type PartOptions = { readonly now: () => number; readonly fold: (fold: Fold) => void };
