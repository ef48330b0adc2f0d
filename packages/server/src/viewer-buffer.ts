/**
 * What one viewer has not read yet. It never holds more than `limitBytes` beyond one text: a viewer that is too slow is cut off and resumes
 * from the log by itself.
 */
export type ViewerBuffer = {
  readonly body: ReadableStream<Uint8Array>;
  /** False if there was no room; the buffer is then ended. */
  readonly put: (text: string) => boolean;
  /** Resolves once less than a quarter of the limit waits, or the buffer ended. */
  readonly room: () => Promise<void>;
  /** Lets the viewer read what is left, then closes. */
  readonly end: () => void;
  /** Drops what is left and closes. */
  readonly cut: () => void;
  /** Since when the oldest text has waited; null if nothing waits. */
  readonly waitingSince: () => number | null;
};

type ViewerBufferOptions = { readonly limitBytes: number; readonly now: () => number; readonly onGone: () => void };

export function createViewerBuffer({ limitBytes, now, onGone }: ViewerBufferOptions): ViewerBuffer {
  const encoder = new TextEncoder();
  const state = { queue: [] as Uint8Array[], bytes: 0, since: null as number | null, ended: false };
  const wake = createBell();
  const taken = createBell();

  const take = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    while (state.queue.length === 0 && !state.ended) await wake.next();
    if (state.queue.length === 0) return controller.close();
    controller.enqueue(Buffer.concat(state.queue));
    Object.assign(state, { queue: [], bytes: 0, since: null });
    taken.ring();
  };
  const end = () => {
    if (state.ended) return;
    state.ended = true;
    wake.ring();
    taken.ring();
    onGone();
  };
  const cut = () => {
    Object.assign(state, { queue: [], bytes: 0, since: null });
    end();
  };
  return {
    body: new ReadableStream<Uint8Array>({ pull: take, cancel: cut }, { highWaterMark: 0 }),
    put: (text) => {
      if (state.ended) return false;
      const bytes = encoder.encode(text);
      if (state.bytes > 0 && state.bytes + bytes.length > limitBytes) {
        cut();
        return false;
      }
      state.queue.push(bytes);
      state.bytes += bytes.length;
      state.since ??= now();
      wake.ring();
      return true;
    },
    room: async () => {
      while (state.bytes > limitBytes / 4 && !state.ended) await taken.next();
    },
    end,
    cut,
    waitingSince: () => state.since,
  };
}

/** Waits for the next time something happens. */
export function createBell(): { readonly ring: () => void; readonly next: () => Promise<void> } {
  let pending = Promise.withResolvers<void>();
  return {
    ring: () => {
      pending.resolve();
      pending = Promise.withResolvers<void>();
    },
    next: () => pending.promise,
  };
}
