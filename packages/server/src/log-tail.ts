import type { PlatformEvent, Workflow } from '@attractor/platform';
import { caughtUpFrame, type Frames } from './frames.ts';
import type { StreamScope } from './stream-scope.ts';

/**
 * The end of the log, read once for all viewers. Whoever has read the log up to what is kept here joins: nothing lies between what they
 * read and what they are then given, and nothing comes twice. It reads only while somebody is here.
 */
export type LogTail = {
  /** Resolves once the tail knows where the log ends. */
  readonly enter: () => Promise<void>;
  readonly leave: () => void;
  /** What came after `cursor`, and from now on what follows; null if the log has to be read further first. */
  readonly join: (cursor: number, follower: Follower) => TailBatch | null;
  readonly quit: (follower: Follower) => void;
};

export type Follower = {
  readonly batch: (batch: TailBatch) => void;
  /** The log can't be read. */
  readonly failed: () => void;
};

/** Events in the order of the log, up to `seq`. */
export type TailBatch = {
  readonly seq: number;
  /** The frames for the scope's events after `cursor`, and a last one that says how far they reach; empty if there are none. */
  readonly framesFor: (scope: StreamScope, cursor: number) => Uint8Array;
};

type Entry = { readonly event: PlatformEvent; readonly frame: Uint8Array };

type TailOptions = {
  readonly workflow: Pick<Workflow, 'events' | 'lastSeq' | 'subscribe'>;
  readonly frames: Frames;
  readonly keepBytes: number;
};

/** From the first viewer to the last. */
type Sitting = TailOptions & {
  readonly followers: Set<Follower>;
  seq: number;
  kept: Entry[];
  keptBytes: number;
  isFresh: boolean;
  isReading: boolean;
  isOver: boolean;
};

const PAGE = 200;
const UNKNOWN = -1;

export function createLogTail(options: TailOptions): LogTail {
  let viewers = 0;
  let now: ReturnType<typeof begin> | null = null;
  return {
    enter: () => {
      viewers += 1;
      now ??= begin(options);
      return now.began;
    },
    leave: () => {
      viewers -= 1;
      if (viewers > 0) return;
      now?.stop();
      now = null;
    },
    join: (cursor, follower) => (now === null ? null : join(now.sitting, cursor, follower)),
    quit: (follower) => void now?.sitting.followers.delete(follower),
  };
}

function begin(options: TailOptions) {
  const sitting: Sitting = {
    ...options,
    followers: new Set(),
    seq: UNKNOWN,
    kept: [],
    keptBytes: 0,
    isFresh: false,
    isReading: false,
    isOver: false,
  };
  const look = (): void => {
    sitting.isFresh = true;
    if (sitting.seq !== UNKNOWN) void readOn(sitting);
  };
  const unsubscribe = options.workflow.subscribe(look);
  const began = options.workflow.lastSeq().then((seq) => {
    sitting.seq = seq;
    // What was committed since then is found now; what comes later is told.
    look();
  });
  const stop = (): void => {
    sitting.isOver = true;
    unsubscribe();
  };
  return { sitting, began, stop };
}

async function readOn(sitting: Sitting): Promise<void> {
  if (sitting.isReading) return;
  sitting.isReading = true;
  try {
    while (sitting.isFresh && !sitting.isOver) {
      sitting.isFresh = false;
      const events = await sitting.workflow.events({ after: sitting.seq, limit: PAGE });
      if (events.length === PAGE) sitting.isFresh = true;
      if (events.length > 0) tell(sitting, events);
    }
  } catch {
    for (const follower of sitting.followers) follower.failed();
  } finally {
    sitting.isReading = false;
  }
}

function tell(sitting: Sitting, events: ReadonlyArray<PlatformEvent>): void {
  const entries = events.map((event) => ({ event, frame: sitting.frames.event(event) }));
  const batch = batchOf(entries, events.at(-1)?.seq ?? sitting.seq);
  sitting.seq = batch.seq;
  keep(sitting, entries, sitting.keepBytes);
  for (const follower of sitting.followers) follower.batch(batch);
}

function join({ seq, kept, followers }: Sitting, cursor: number, follower: Follower): TailBatch | null {
  const first = kept[0]?.event.seq ?? seq + 1;
  if (seq === UNKNOWN || (cursor < seq && cursor < first - 1)) return null;
  followers.add(follower);
  return batchOf(kept, seq);
}

function keep(sitting: Sitting, entries: ReadonlyArray<Entry>, most: number): void {
  for (const entry of entries) {
    sitting.kept.push(entry);
    sitting.keptBytes += entry.frame.length;
  }
  let dropped = 0;
  while (sitting.keptBytes > most) {
    sitting.keptBytes -= sitting.kept[dropped]?.frame.length ?? 0;
    dropped += 1;
  }
  sitting.kept = sitting.kept.slice(dropped);
}

const NOTHING = new Uint8Array(0);

/** Viewers of one scope get the same bytes. */
function batchOf(entries: ReadonlyArray<Entry>, seq: number): TailBatch {
  const first = entries[0]?.event.seq ?? seq;
  const made = new Map<string, Uint8Array>();
  const make = ({ wants }: StreamScope, cursor: number): Uint8Array => {
    const wanted = entries.filter(({ event }) => event.seq > cursor && wants(event));
    if (wanted.length === 0) return NOTHING;
    return Buffer.concat([...wanted.map(({ frame }) => frame), caughtUpFrame(Math.max(cursor, seq))]);
  };
  return {
    seq,
    framesFor: (scope, cursor) => {
      if (cursor >= first) return make(scope, cursor);
      const bytes = made.get(scope.key) ?? make(scope, cursor);
      made.set(scope.key, bytes);
      return bytes;
    },
  };
}
