import { useEffect, useSyncExternalStore } from 'react';

/** Something that a person can do here, by a key, by the palette or both. */
export type Act = {
  readonly id: string;
  readonly label: string;
  /** Under which heading the sheet of keys lists it. */
  readonly group: string;
  /** `mod+k`, `c`, or letters in a row: `g i`. */
  readonly keys?: string;
  readonly run: () => void;
  /** Only by its key: the palette does not list it. */
  readonly isQuiet?: true;
};

/** The one registry: the palette, the sheet of keys and the keyboard all read it. */
const known = { acts: [] as ReadonlyArray<Act>, parts: new Map<symbol, ReadonlyArray<Act>>() };
const listeners = new Set<() => void>();

/** What can be done as long as the calling part is on the page. */
export function useActs(acts: ReadonlyArray<Act>): void {
  useEffect(() => {
    const part = Symbol('part');
    known.parts.set(part, acts);
    publish();
    return () => {
      known.parts.delete(part);
      publish();
    };
  });
}

export function useKnownActs(): ReadonlyArray<Act> {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => known.acts,
  );
}

/** The newest part wins where two use the same keys. */
export function actFor(keys: string): Act | null {
  return known.acts.findLast((act) => act.keys === keys) ?? null;
}

/** Whether some act begins with these keys. */
export function beginsAct(keys: string): boolean {
  return known.acts.some((act) => act.keys?.startsWith(`${keys} `) === true);
}

function publish(): void {
  known.acts = [...known.parts.values()].flat();
  for (const listener of listeners) listener();
}
