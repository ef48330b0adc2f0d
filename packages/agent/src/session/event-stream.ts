import type { DeliveredEvent } from '../types/index.ts';

/** Delivers events to any number of readers, each at its own pace. */
export type EventStream = {
  readonly push: (event: DeliveredEvent) => void;
  /** With an error, readers throw it after everything pushed before. */
  readonly end: (error?: Error) => void;
  readonly read: () => AsyncIterable<DeliveredEvent>;
};

/** Stored events with a `seq` above the first number and up to the second; null if they can't be read. */
export type ReadStored = (afterSeq: number, uptoSeq: number) => ReadonlyArray<DeliveredEvent> | null;

export type EventStreamOptions = { readonly lastSeq?: number; readonly readStored?: ReadStored };

export function createEventStream({ lastSeq = 0, readStored = () => null }: EventStreamOptions = {}): EventStream {
  let seq = lastSeq;
  const first = createReader(seq, readStored);
  const readers = new Set([first]);
  let taken = false;
  let ended: { readonly error: Error | undefined } | null = null;
  return {
    push: (event) => {
      seq = event.seq;
      readers.forEach((reader) => reader.push(event));
    },
    end: (error) => {
      ended = { error };
      readers.forEach((reader) => reader.end(error));
    },
    read: () => {
      const reader = taken ? createReader(seq, readStored) : first;
      taken = true;
      readers.add(reader);
      if (ended !== null) reader.end(ended.error);
      return reader.events(() => readers.delete(reader));
    },
  };
}

/** The limit of text that waits for a slow reader. Beyond it deltas are dropped; the end event carries the whole text anyway. */
const MAX_WAITING_TEXT = 256 << 10;

/** The approximate limit for everything that waits. Beyond it the older half is dropped from memory and later read back from the store. */
const MAX_WAITING_SIZE = 2 << 20;
const SIZE_OF_AN_EVENT = 512;

type Reader = {
  readonly push: (event: DeliveredEvent) => void;
  readonly end: (error?: Error) => void;
  readonly events: (onDone: () => void) => AsyncIterable<DeliveredEvent>;
};

function createReader(startSeq: number, readStored: ReadStored): Reader {
  const queue = createQueue(startSeq, readStored);
  let ended: { readonly error: Error | undefined } | null = null;
  let arrival = Promise.withResolvers<void>();
  async function* events(onDone: () => void): AsyncGenerator<DeliveredEvent> {
    try {
      for (;;) {
        for (let batch = queue.take(); batch.length > 0; batch = queue.take()) yield* batch;
        if (ended?.error !== undefined) throw ended.error;
        if (ended !== null) return;
        await arrival.promise;
        arrival = Promise.withResolvers();
      }
    } finally {
      onDone();
    }
  }
  return {
    push: (event) => {
      queue.put(event);
      arrival.resolve();
    },
    end: (error) => {
      ended = { error };
      arrival.resolve();
    },
    events,
  };
}

type Queue = { readonly put: (event: DeliveredEvent) => void; readonly take: () => ReadonlyArray<DeliveredEvent> };

/** Bounded. `gap`: what was dropped before the first waiting event. `before`: the last number before both. */
function createQueue(startSeq: number, readStored: ReadStored): Queue {
  let waiting: DeliveredEvent[] = [];
  let text = 0;
  let size = 0;
  let before = startSeq;
  let gap: { readonly after: number; readonly upto: DeliveredEvent } | null = null;
  const forget = (): void => {
    const gone = waiting.splice(0, Math.ceil(waiting.length / 2));
    size = waiting.reduce((sum, event) => sum + sizeOf(event), 0);
    const upto = gone.at(-1);
    if (upto !== undefined) gap = { after: gap?.after ?? before, upto };
  };
  return {
    put(event) {
      const delta = deltaText(event);
      text += delta;
      if (delta > 0 && text > MAX_WAITING_TEXT) return;
      waiting.push(event);
      size += sizeOf(event);
      if (size > MAX_WAITING_SIZE && waiting.length > 1) forget();
    },
    take() {
      const recovered = gap === null ? [] : recover(gap, readStored);
      const batch = [...recovered, ...waiting];
      before = batch.at(-1)?.seq ?? before;
      [waiting, text, size, gap] = [[], 0, 0, null];
      return batch;
    },
  };
}

function recover(
  { after, upto }: { readonly after: number; readonly upto: DeliveredEvent },
  readStored: ReadStored,
): ReadonlyArray<DeliveredEvent> {
  const stored = readStored(after, upto.seq);
  if (stored !== null) return stored;
  const message = `Events up to number ${upto.seq} were dropped: they were not read in time and are stored nowhere.`;
  return [{ kind: 'WARNING', message, seq: upto.seq, at: upto.at, sessionId: upto.sessionId }];
}

function deltaText(event: DeliveredEvent | (DeliveredEvent & { kind: 'SUBAGENT_EVENT' })['event']): number {
  switch (event.kind) {
    case 'ASSISTANT_TEXT_DELTA':
    case 'THINKING_DELTA':
    case 'TOOL_CALL_OUTPUT_DELTA':
      return event.text.length;
    case 'SUBAGENT_EVENT':
      return deltaText(event.event);
    default:
      return 0;
  }
}

/** An estimate: the large part of an event is one string or base64. */
function sizeOf(event: DeliveredEvent | (DeliveredEvent & { kind: 'SUBAGENT_EVENT' })['event']): number {
  switch (event.kind) {
    case 'TOOL_CALL_END':
      return SIZE_OF_AN_EVENT + event.output.length + JSON.stringify(event.images ?? '').length;
    case 'USER_INPUT':
      return SIZE_OF_AN_EVENT + JSON.stringify(event.parts ?? event.content).length;
    case 'ASSISTANT_MESSAGE':
      return SIZE_OF_AN_EVENT + event.content.length * SIZE_OF_AN_EVENT;
    case 'SUBAGENT_EVENT':
      return sizeOf(event.event);
    default:
      return SIZE_OF_AN_EVENT;
  }
}
