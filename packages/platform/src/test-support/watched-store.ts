import { lastSeq, listEvents, type PlatformEvent, type Store } from '@attractor/store';

type Moment = (events: ReadonlyArray<PlatformEvent>) => Promise<void> | void;

/** `begun`: a transaction is asked for. `uncommitted`: all is written and nothing of it known yet. `committed`: it is known, and whoever wrote it was not told yet. */
export type Moments = {
  readonly begun?: () => Promise<void>;
  readonly uncommitted?: Moment;
  readonly committed?: Moment;
};

/** A store whose writers can be met at the exact moments around each commit, with the events that it brings. */
export function watchStore(store: Store, { begun, uncommitted, committed }: Moments): Store {
  return {
    ...store,
    transact: async (work) => {
      await begun?.();
      let events: ReadonlyArray<PlatformEvent> = [];
      const value = await store.transact(async (tx) => {
        const before = await lastSeq(tx);
        const value = await work(tx);
        events = await listEvents(tx, { after: before, limit: 10_000 });
        await uncommitted?.(events);
        return value;
      });
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
