import { lastSeq, listEvents, type PlatformEvent, type Store } from '@attractor/store';

type Moment = (events: ReadonlyArray<PlatformEvent>) => Promise<void> | void;

/**
 * `begun`: a transaction is requested. `uncommitted`: everything is written and nothing of it visible yet. `committed`: it is visible, and
 * its writer was not told yet.
 */
export type Moments = {
  readonly begun?: () => Promise<void>;
  readonly uncommitted?: Moment;
  readonly committed?: Moment;
};

/** A store with callbacks at the exact moments around each commit, with its events. */
export function watchStore(store: Store, { begun, uncommitted, committed }: Moments): Store {
  return {
    ...store,
    transact: async (work, _about, first) => {
      await begun?.();
      let events: ReadonlyArray<PlatformEvent> = [];
      const value = await store.transact(
        async (tx) => {
          const before = await lastSeq(tx);
          const value = await work(tx);
          events = await listEvents(tx, { after: before, limit: 10_000 });
          await uncommitted?.(events);
          return value;
        },
        undefined,
        first,
      );
      await committed?.(events);
      return value;
    },
  };
}

export function isStep(
  event: PlatformEvent,
  { type, step }: { readonly type: 'run.step_started' | 'run.step_finished'; readonly step: string },
): boolean {
  return event.type === type && event.data['step'] === step;
}
