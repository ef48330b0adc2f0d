import { useSyncExternalStore } from 'react';

const NOTHING: ReadonlySet<string> = new Set();
const store = { ids: NOTHING };
const listeners = new Set<() => void>();

/** What no list shows, by its ids: somebody has just deleted it here, and may still take that back. */
export function useHidden(): ReadonlySet<string> {
  return useSyncExternalStore(listen, () => store.ids);
}

export function hide(ids: ReadonlyArray<string>): void {
  publish(new Set([...store.ids, ...ids]));
}

export function showAgain(ids: ReadonlyArray<string>): void {
  publish(store.ids.difference(new Set(ids)));
}

function publish(ids: ReadonlySet<string>): void {
  store.ids = ids.size === 0 ? NOTHING : ids;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
