import { ABOUT_NOTHING_ELSE, ABOUT_QUEUE, type Claim, setWaiting, type Store } from '@attractor/store';
import type { Slot } from '@attractor/run';
import { hasRoomFor } from './claim.ts';

/** The jobs of one worker that take a place, and those that only wait here. */
export type Slots = {
  /** How many more this worker may take. */
  readonly room: () => number;
  readonly add: (claim: Claim) => Slot;
  readonly remove: (claim: Claim) => void;
};

/** `onFree` is called when a place was given back. */
export function createSlots(
  store: Store,
  { concurrency, onFree }: { readonly concurrency: number; readonly onFree: () => void },
): Slots {
  const taken = new Set<Claim>();
  const room = (): number => concurrency - taken.size;
  const write = (claim: Claim, block: Parameters<typeof setWaiting>[2]) =>
    store.transact((tx) => setWaiting(tx, claim, block), ABOUT_NOTHING_ELSE);
  return {
    room,
    remove: (claim) => void taken.delete(claim),
    add: (claim) => {
      taken.add(claim);
      return {
        rest: async (block) => {
          await write(claim, block);
          taken.delete(claim);
          onFree();
        },
        wake: async () => {
          if (taken.has(claim)) return true;
          if (room() <= 0) return false;
          // Taken before the database is asked, so that no other job of this worker gets it meanwhile.
          taken.add(claim);
          const isFree = await store.transact(async (tx) => {
            if (!(await hasRoomFor(tx, claim))) return false;
            await setWaiting(tx, claim, null);
            return true;
          }, ABOUT_QUEUE);
          if (!isFree) taken.delete(claim);
          return isFree;
        },
        force: async () => {
          taken.add(claim);
          await write(claim, null);
        },
      };
    },
  };
}
