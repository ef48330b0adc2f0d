import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();
const PREFIX = 'attractor.';

/** A text that this browser keeps under a name, over reloads and restarts; null if there is none. */
export function useKept(name: string): readonly [string | null, (value: string | null) => void] {
  const value = useSyncExternalStore(listen, () => readKept(name));
  return [value, (next) => keep(name, next)];
}

export function readKept(name: string): string | null {
  return localStorage.getItem(PREFIX + name);
}

export function keep(name: string, value: string | null): void {
  if (value === null) localStorage.removeItem(PREFIX + name);
  else localStorage.setItem(PREFIX + name, value);
  for (const listener of listeners) listener();
}

export function listen(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
