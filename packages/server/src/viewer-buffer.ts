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

export function createViewerBuffer({ limitBytes, now, onGone }: ViewerBufferOptions): ViewerBuffer {
  const state = { queue: [] as Uint8Array[], bytes: 0, since: null as number | null, ended: false };
  // Set while the viewer asks for more and there is nothing.
  let asking: Controller | null = null;
  let freed: (() => void) | null = null;

  const empty = () => {
    Object.assign(state, { queue: [], bytes: 0, since: null });
    freed?.();
    freed = null;
  };
  const take = (controller: Controller) => {
    const [only = EMPTY] = state.queue;
    if (state.queue.length > 0) controller.enqueue(state.queue.length === 1 ? only : Buffer.concat(state.queue));
    else if (state.ended) controller.close();
    else asking = controller;
    empty();
  };
  const end = () => {
    if (state.ended) return;
    state.ended = true;
    asking?.close();
    asking = null;
    freed?.();
    onGone();
  };
  const cut = () => {
    empty();
    end();
  };
  const fits = (bytes: Uint8Array) => state.bytes === 0 || state.bytes + bytes.length <= limitBytes;
  return {
    body: new ReadableStream<Uint8Array>(
      {
        pull: take,
        cancel: () => {
          asking = null;
          cut();
        },
      },
      { highWaterMark: 0 },
    ),
    fits,
    put: (bytes) => {
      if (state.ended) return false;
      if (state.bytes > limitBytes) {
        cut();
        return false;
      }
      if (asking !== null) {
        const controller = asking;
        asking = null;
        controller.enqueue(bytes);
        return true;
      }
      state.queue.push(bytes);
      state.bytes += bytes.length;
      state.since ??= now();
      return true;
    },
    room: () =>
      new Promise((resolve) => {
        if (state.bytes <= limitBytes / 4 || state.ended) return resolve();
        freed = resolve;
      }),
    end,
    cut,
    isEnded: () => state.ended,
    waitingSince: () => state.since,
  };
}

const EMPTY = new Uint8Array(0);
