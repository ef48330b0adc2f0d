import type { Answer, LiveDelta, PlatformEvent, StreamFrame, StreamQuery } from '@attractor/api';
import type { LiveBatch } from '@attractor/api/shown';

export type Connection = 'connecting' | 'live' | 'lost' | 'signed_out';

export type FollowOptions = {
  readonly open: (query: StreamQuery, signal: AbortSignal) => Promise<Answer<AsyncGenerator<StreamFrame, void>>>;
  readonly query: StreamQuery;
  readonly after: number;
  /** Whether a page that nobody looks at goes on listening. */
  readonly staysHidden?: () => boolean;
  /** At most once per animation frame, however much arrives. */
  readonly onBatch: (batch: LiveBatch) => void;
  readonly onConnection: (connection: Connection) => void;
};

const RETRY_FIRST_MS = 300;
const RETRY_LAST_MS = 5000;
const HIDDEN_MS = 20_000;

/**
 * Follows the log for as long as needed. A broken connection is resumed after the last event seen, so nothing is missed or repeated. A
 * hidden page closes its connection, unless it has to tell of something: browsers have only a few.
 */
export function followLog(options: FollowOptions): () => void {
  const state = {
    cursor: options.after,
    stopped: false,
    reached: false,
    doubted: false,
    current: new AbortController(),
  };
  const batches = collectBatches(options.onBatch);
  const page = watchPage(() => state.current.abort(), options.staysHidden ?? (() => false));
  // Without a network a stream may stay open for minutes and bring nothing; one to this very machine goes on.
  const doubt = () => {
    state.doubted = true;
    state.current.abort();
  };
  window.addEventListener('offline', doubt);

  const readOnce = async (): Promise<'ended' | 'signed_out'> => {
    state.current = new AbortController();
    const stream = await options.open({ ...options.query, after: state.cursor }, state.current.signal);
    if (!stream.ok) return stream.error.code === 'unauthorised' ? 'signed_out' : 'ended';
    state.reached = true;
    for await (const frame of stream.value) {
      if (frame.kind === 'event') state.cursor = Math.max(state.cursor, frame.event.seq);
      if (frame.kind === 'caught_up') state.cursor = Math.max(state.cursor, frame.seq);
      if (frame.kind === 'event' || frame.kind === 'delta') batches.add(frame);
      options.onConnection('live');
    }
    return 'ended';
  };

  const run = async () => {
    options.onConnection('connecting');
    for (let wait = RETRY_FIRST_MS; !state.stopped; wait = Math.min(wait * 2, RETRY_LAST_MS)) {
      state.reached = false;
      const end = await readOnce().catch(() => 'ended' as const);
      if (state.stopped) return;
      if (end === 'signed_out') return options.onConnection('signed_out');
      if (page.hidden()) await page.shown();
      else if (!state.doubted) options.onConnection('lost');
      if (state.reached) wait = RETRY_FIRST_MS;
      if (!state.doubted) await pause(wait * (0.75 + Math.random() / 2));
      state.doubted = false;
    }
  };
  void run();

  return () => {
    state.stopped = true;
    state.current.abort();
    window.removeEventListener('offline', doubt);
    batches.stop();
    page.stop();
  };
}

/** Collects what arrives between two animation frames. */
function collectBatches(onBatch: (batch: LiveBatch) => void) {
  let events: PlatformEvent[] = [];
  let deltas: LiveDelta[] = [];
  let planned = 0;
  const flush = () => {
    window.clearTimeout(planned);
    planned = 0;
    const batch = { events, deltas };
    events = [];
    deltas = [];
    onBatch(batch);
  };
  return {
    add: (frame: Extract<StreamFrame, { kind: 'event' | 'delta' }>) => {
      if (frame.kind === 'event') {
        // In a batch events come before live text; text that was live before this event is flushed first.
        if (deltas.length > 0) flush();
        events.push(frame.event);
      } else deltas.push(frame.delta);
      if (planned === 0) planned = window.setTimeout(flush, 30);
    },
    stop: () => window.clearTimeout(planned),
  };
}

/** Reports when the page has been hidden for a while, and when it is back. */
function watchPage(onHidden: () => void, staysHidden: () => boolean) {
  let timer = 0;
  let hidden = false;
  let back = Promise.withResolvers<void>();
  const change = () => {
    window.clearTimeout(timer);
    if (document.visibilityState === 'hidden') {
      timer = window.setTimeout(() => {
        if (staysHidden()) return;
        hidden = true;
        onHidden();
      }, HIDDEN_MS);
      return;
    }
    hidden = false;
    back.resolve();
    back = Promise.withResolvers<void>();
  };
  document.addEventListener('visibilitychange', change);
  return {
    hidden: () => hidden,
    shown: () => (hidden ? back.promise : Promise.resolve()),
    stop: () => {
      window.clearTimeout(timer);
      document.removeEventListener('visibilitychange', change);
      back.resolve();
    },
  };
}

/** A network that is back ends it. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      window.clearTimeout(timer);
      window.removeEventListener('online', end);
      resolve();
    };
    const timer = window.setTimeout(end, ms);
    window.addEventListener('online', end);
  });
}
