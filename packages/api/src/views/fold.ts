import type { PlatformEvent } from '@attractor/platform';

/** A view knows how far it has read; an event at or before `seq` is already in it and changes nothing. */
export type View = { readonly seq: number };

export type Fold<V extends View> = {
  /** Returns the same object if the event changes nothing. */
  readonly fold: (view: V, event: PlatformEvent) => V;
  /** The same as folding one by one, with one copy for the whole batch. */
  readonly foldAll: (view: V, events: ReadonlyArray<PlatformEvent>) => V;
};

/**
 * A fold from `draft`, which copies what may change, and `apply`, which changes such a copy by one event.
 * Values inside the containers are replaced, never changed in place, so earlier views stay as they were.
 */
export function defineFold<V extends View, Draft extends V & { seq: number }>(
  draft: (view: V) => Draft,
  apply: (draft: Draft, event: PlatformEvent) => void,
): Fold<V> {
  const foldAll = (view: V, events: ReadonlyArray<PlatformEvent>): V => {
    const first = events.findIndex((event) => event.seq > view.seq);
    if (first === -1) return view;
    const next = draft(view);
    for (const event of events.slice(first)) {
      if (event.seq <= next.seq) continue;
      apply(next, event);
      next.seq = event.seq;
    }
    return next;
  };
  return { foldAll, fold: (view, event) => foldAll(view, [event]) };
}
