import { setTimeout as sleep } from 'node:timers/promises';
import type { Store } from '@attractor/store';

/** Does one piece of work after another while there is any; a few at once. */
export type Background = {
  readonly start: () => void;
  /** Resolves when nothing is due and nothing runs here. */
  readonly idle: () => Promise<void>;
  /** Takes nothing new, and waits a while for running work. */
  readonly close: () => Promise<void>;
};

export type BackgroundOptions<Piece> = {
  readonly store: Store;
  /** Where new pieces come from. */
  readonly tables: NonNullable<Parameters<Store['onChange']>[1]>;
  readonly take: () => Promise<Piece | null>;
  readonly work: (piece: Piece) => Promise<void>;
  readonly onUnexpected: (error: unknown) => void;
};

const POLL_MS = 1_000;
const AT_ONCE = 4;
const CLOSE_PATIENCE_MS = 10_000;

type State = { closed: boolean; again: boolean; looking: Promise<void> | null; stop: () => void };

export function createBackground<Piece>({
  store,
  tables,
  take,
  work,
  onUnexpected,
}: BackgroundOptions<Piece>): Background {
  const active = new Set<Promise<void>>();
  const state: State = { closed: false, again: false, looking: null, stop: () => undefined };

  const fill = async (): Promise<void> => {
    while (!state.closed && active.size < AT_ONCE) {
      const piece = await take();
      if (piece === null) return;
      const working = work(piece)
        .catch(onUnexpected)
        .finally(() => {
          active.delete(working);
          look();
        });
      active.add(working);
    }
  };
  const look = (): void => {
    state.again = state.looking !== null;
    if (state.closed || state.again) return;
    state.looking = fill()
      .catch(onUnexpected)
      .finally(() => {
        state.looking = null;
        if (state.again) look();
      });
  };

  return {
    start: () => {
      const unlisten = store.onChange(look, tables);
      const timer = setInterval(look, POLL_MS);
      timer.unref();
      state.stop = () => {
        unlisten();
        clearInterval(timer);
      };
      look();
    },
    idle: async () => {
      look();
      while (state.looking !== null || active.size > 0) await (state.looking ?? Promise.all(active));
    },
    close: async () => {
      state.closed = true;
      state.stop();
      await state.looking;
      // Work that takes longer is taken over by the next process, once this one is gone.
      await Promise.race([Promise.all(active), sleep(CLOSE_PATIENCE_MS, null, { ref: false })]);
    },
  };
}
