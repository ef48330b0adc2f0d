import type { Schema } from './schema.ts';
import type { WrittenTables } from './written-tables.ts';

/** With tables a listener hears only of commits that may have changed one of them. */
export type ListenForChanges = (listener: () => void, tables?: ReadonlyArray<keyof Schema>) => () => void;

/** Listeners for commits. A listener's failure concerns nobody else. */
export function createChanges() {
  const listeners = new Map<symbol, { readonly listener: () => void; readonly tables: ReadonlySet<string> | null }>();
  const listen: ListenForChanges = (listener, tables) => {
    const key = Symbol('listener');
    listeners.set(key, { listener, tables: tables === undefined ? null : new Set<string>(tables) });
    return () => void listeners.delete(key);
  };
  return {
    tell: (written: WrittenTables): void => {
      for (const { listener, tables } of listeners.values())
        if (written === null || tables === null || !written.isDisjointFrom(tables)) listener();
    },
    listen,
    isHeard: (): boolean => listeners.size > 0,
  };
}

export type Changes = ReturnType<typeof createChanges>;
