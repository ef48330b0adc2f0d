/** Listeners for commits. A listener's failure concerns nobody else. */
export function createChanges() {
  const listeners = new Set<() => void>();
  return {
    tell: (): void => {
      for (const listener of listeners) listener();
    },
    listen: (listener: () => void): (() => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    isHeard: (): boolean => listeners.size > 0,
  };
}

export type Changes = ReturnType<typeof createChanges>;
