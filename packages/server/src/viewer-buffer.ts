/**
 * What one viewer has not read yet. It never holds more than `limitBytes` beyond one piece: a viewer that is too slow is cut off and resumes
 * from the log by itself.
 */
export type ViewerBuffer = {
  readonly body: ReadableStream<Uint8Array>;
  /** Whether it stays within the limit. */
  readonly fits: (bytes: Uint8Array) => boolean;
  /** False if more than the limit waits already; the buffer is then ended. */
  readonly put: (bytes: Uint8Array) => boolean;
  /** Resolves once less than a quarter of the limit waits, or the buffer ended. */
  readonly room: () => Promise<void>;
  /** Lets the viewer read what is left, then closes. */
  readonly end: () => void;
  /** Drops what is left and closes. */
  readonly cut: () => void;
  readonly isEnded: () => boolean;
  /** Since when the oldest piece has waited; null if nothing waits. */
  readonly waitingSince: () => number | null;
};

type ViewerBufferOptions = { readonly limitBytes: number; readonly now: () => number; readonly onGone: () => void };

type Controller = ReadableStreamDefaultController<Uint8Array>;

type Waiting = {
  queue: Uint8Array[];
  bytes: number;
  since: number | null;
  ended: boolean;
  /** Set while the viewer asks for more and there is nothing. */
  asking: Controller | null;
  /** Called when there is room again. */
  freed: (() => void) | null;
};

export function createViewerBuffer({ limitBytes, now, onGone }: ViewerBufferOptions): ViewerBuffer {
  const waiting: Waiting = { queue: [], bytes: 0, since: null, ended: false, asking: null, freed: null };
  const end = () => {
    if (waiting.ended) return;
    waiting.ended = true;
    waiting.asking?.close();
    waiting.asking = null;
    waiting.freed?.();
    onGone();
  };
  const cut = () => {
    empty(waiting);
    end();
  };
  const cancel = () => {
    waiting.asking = null;
    cut();
  };
  return {
    body: new ReadableStream<Uint8Array>(
      { pull: (controller) => take(waiting, controller), cancel },
      { highWaterMark: 0 },
    ),
    fits: (bytes) => waiting.bytes === 0 || waiting.bytes + bytes.length <= limitBytes,
    put: (bytes) => {
      if (waiting.bytes > limitBytes) cut();
      if (waiting.ended) return false;
      give(waiting, bytes, now);
      return true;
    },
    room: () =>
      new Promise((resolve) => {
        if (waiting.bytes <= limitBytes / 4 || waiting.ended) resolve();
        else waiting.freed = resolve;
      }),
    end,
    cut,
    isEnded: () => waiting.ended,
    waitingSince: () => waiting.since,
  };
}

function take(waiting: Waiting, controller: Controller): void {
  const [only = EMPTY] = waiting.queue;
  if (waiting.queue.length > 0) controller.enqueue(waiting.queue.length === 1 ? only : Buffer.concat(waiting.queue));
  else if (waiting.ended) controller.close();
  else waiting.asking = controller;
  empty(waiting);
}

function give(waiting: Waiting, bytes: Uint8Array, now: () => number): void {
  const { asking } = waiting;
  waiting.asking = null;
  if (asking !== null) return asking.enqueue(bytes);
  waiting.queue.push(bytes);
  waiting.bytes += bytes.length;
  waiting.since ??= now();
}

function empty(waiting: Waiting): void {
  Object.assign(waiting, { queue: [], bytes: 0, since: null });
  waiting.freed?.();
  waiting.freed = null;
}

const EMPTY = new Uint8Array(0);
