import type { Schema } from './schema.ts';
import type { Subject } from './subjects.ts';
import type { RUN_WISHES, Written } from './written.ts';

/** Whose commit it was. What another process wrote it mostly also does something about. */
export type ChangedBy = 'us' | 'others';

/** With tables a listener hears only of commits that may have changed one of them; with a subject only of those that may be about it. */
export type ListenForChanges = (
  listener: (by: ChangedBy) => void,
  tables?: ReadonlyArray<keyof Schema | typeof RUN_WISHES>,
  about?: Subject,
) => () => void;

type Listener = {
  readonly listener: (by: ChangedBy) => void;
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
    tell: (written: Written, by: ChangedBy): void => {
      for (const one of listeners.values()) if (concerns(written, one)) one.listener(by);
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
