import type { DeliveredEvent } from '../types/index.ts';

/** Delivers events to any number of readers, each at its own pace. */
export type EventStream = {
  readonly push: (event: DeliveredEvent) => void;
  readonly end: () => void;
  readonly read: () => AsyncIterable<DeliveredEvent>;
};

export function createEventStream(): EventStream {
  const first = createReader();
  const readers = new Set([first]);
  let taken = false;
  let ended = false;
  return {
    push: (event) => readers.forEach((reader) => reader.push(event)),
    end: () => {
      ended = true;
      readers.forEach((reader) => reader.end());
    },
    read: () => {
      const reader = taken ? createReader() : first;
      taken = true;
      readers.add(reader);
      if (ended) reader.end();
      return reader.events(() => readers.delete(reader));
    },
  };
}

/** Text that waits for a slow reader. Beyond it deltas are dropped: the end of what they are part of carries it whole. */
const MAX_WAITING_TEXT = 256 << 10;

type Delta = Extract<DeliveredEvent, { kind: 'ASSISTANT_TEXT_DELTA' | 'THINKING_DELTA' | 'TOOL_CALL_OUTPUT_DELTA' }>;

type Reader = {
  readonly push: (event: DeliveredEvent) => void;
  readonly end: () => void;
  readonly events: (onDone: () => void) => AsyncIterable<DeliveredEvent>;
};

function createReader(): Reader {
  let waiting: DeliveredEvent[] = [];
  let waitingText = 0;
  let ended = false;
  let arrival = Promise.withResolvers<void>();
  const push = (event: DeliveredEvent): void => {
    if (isDelta(event)) {
      waitingText += event.text.length;
      if (waitingText > MAX_WAITING_TEXT) return;
    }
    waiting.push(event);
    arrival.resolve();
  };
  const end = (): void => {
    ended = true;
    arrival.resolve();
  };
  async function* events(onDone: () => void): AsyncGenerator<DeliveredEvent> {
    try {
      for (;;) {
        const batch = waiting;
        waiting = [];
        waitingText = 0;
        yield* batch;
        if (waiting.length > 0) continue;
        if (ended) return;
        await arrival.promise;
        arrival = Promise.withResolvers();
      }
    } finally {
      onDone();
    }
  }
  return { push, end, events };
}

function isDelta(event: DeliveredEvent): event is Delta {
  return (
    event.kind === 'ASSISTANT_TEXT_DELTA' || event.kind === 'THINKING_DELTA' || event.kind === 'TOOL_CALL_OUTPUT_DELTA'
  );
}
