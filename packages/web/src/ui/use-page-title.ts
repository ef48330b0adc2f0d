import { useEffect, useSyncExternalStore } from 'react';

const store = { title: '' };
const listeners = new Set<() => void>();

/** What the browser's tab and its history say about the place; the shell adds how much waits. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    store.title = title;
    for (const listener of listeners) listener();
  }, [title]);
}

export function useShownTitle(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => store.title,
  );
}
