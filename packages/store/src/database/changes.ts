import type { Schema } from './schema.ts';
import type { Subject } from './subjects.ts';
import type { Written } from './written.ts';

/** With tables a listener hears only of commits that may have changed one of them; with a subject only of those that may be about it. */
export type ListenForChanges = (
  listener: () => void,
  tables?: ReadonlyArray<keyof Schema>,
  about?: Subject,
) => () => void;

type Listener = {
  readonly listener: () => void;
  readonly tables: ReadonlySet<string> | null;
  readonly about: Subject | undefined;
};

/** Listeners for commits. A listener's failure concerns nobody else. */
export function createChanges() {
  const listeners = new Map<symbol, Listener>();
  const listen: ListenForChanges = (listener, tables, about) => {
    const key = Symbol('listener');
    listeners.set(key, { listener, tables: tables === undefined ? null : new Set<string>(tables), about });
    return () => void listeners.delete(key);
  };
  return {
    tell: (written: Written): void => {
      for (const one of listeners.values()) if (concerns(written, one)) one.listener();
    },
    listen,
    isHeard: (): boolean => listeners.size > 0,
  };
}

function concerns(written: Written, { tables, about }: Listener): boolean {
  if (tables !== null && written.tables?.isDisjointFrom(tables) === true) return false;
  return about === undefined || written.subjects === null || written.subjects.has(about);
}

export type Changes = ReturnType<typeof createChanges>;
