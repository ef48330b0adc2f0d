import type { EventFilter, LiveDelta, PlatformEvent } from '@attractor/store';

/** Reads return the current log; `subscribe` is a hint that there is more to read, `onDelta` carries live text only. */
export type LogCommands = {
  readonly events: (filter: EventFilter) => Promise<ReadonlyArray<PlatformEvent>>;
  readonly lastSeq: () => Promise<number>;
  /** What happened in a project, newest first. */
  readonly activity: (filter: {
    readonly projectId: string;
    readonly before?: number;
    readonly limit?: number;
  }) => Promise<ReadonlyArray<PlatformEvent>>;
  /** Called after events were committed; returns a function that unsubscribes. */
  readonly subscribe: (listener: (lastSeq: number) => void) => () => void;
  /** First what is live now, from its beginning, then each piece as it comes. */
  readonly onDelta: (listener: (delta: LiveDelta) => void) => () => void;
};
