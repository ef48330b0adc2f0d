import type { LiveDelta } from '@attractor/store';

/** Live text for everyone who watches; nothing of it is kept. */
export type DeltaFan = {
  readonly send: (delta: LiveDelta) => void;
  readonly listen: (listener: (delta: LiveDelta) => void) => () => void;
};

export function createDeltaFan(): DeltaFan {
  const listeners = new Set<(delta: LiveDelta) => void>();
  return {
    send: (delta) => {
      for (const listener of listeners) listener(delta);
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
