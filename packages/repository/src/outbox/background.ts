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
  /** Somebody here carries out what was put last: there is no hurry to look for the rest. */
  readonly isBusy?: () => boolean;
};

const POLL_MS = 1_000;
/** Who put a piece takes it: of what others put we look for what is left, so that a piece costs one look and not one for each process. */
const OTHERS_FIRST_MS = 250;
/** What we put comes in bunches, and who put it may carry it out at once. */
const BUNCH_MS = 20;
const AT_ONCE = 4;
const CLOSE_PATIENCE_MS = 10_000;

type State = { closed: boolean; again: boolean; looking: Promise<void> | null; stop: () => void };

export function createBackground<Piece>({
  store,
  tables,
  take,
  work,
  onUnexpected,
  isBusy = () => false,
}: BackgroundOptions<Piece>): Background {
  const active = new Set<Promise<void>>();
  const state: State = { closed: false, again: false, looking: null, stop: () => undefined };

  const fill = async (): Promise<void> => {
    while (!state.closed && active.size < AT_ONCE) {
      // What was told until now is seen by this look, also that the one before took something.
      state.again = false;
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
      state.stop = onHints({ store, tables, isBusy }, look);
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

type Hints = Required<Pick<BackgroundOptions<unknown>, 'store' | 'tables' | 'isBusy'>>;

/** Calls `look` when there may be something new, and now and then for what no hint told of. Returns how to end it. */
function onHints({ store, tables, isBusy }: Hints, look: () => void): () => void {
  const waiting = new Map<number, NodeJS.Timeout>();
  const lookIn = (ms: number): void => {
    if (!waiting.has(ms)) waiting.set(ms, setTimeout(lookNow, ms, ms).unref());
  };
  const lookNow = (after: number): void => {
    waiting.delete(after);
    if (after === BUNCH_MS && isBusy()) lookIn(OTHERS_FIRST_MS);
    else look();
  };
  const unlisten = store.onChange((by) => lookIn(by === 'us' ? BUNCH_MS : OTHERS_FIRST_MS), tables);
  const timer = setInterval(look, POLL_MS).unref();
  return () => {
    unlisten();
    clearInterval(timer);
    for (const later of waiting.values()) clearTimeout(later);
  };
}
