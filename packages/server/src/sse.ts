import { defined } from '@attractor/base';
import { concernsTaskList, FRAME, type StreamQuery } from '@attractor/api';
import type { LiveDelta, PlatformEvent, Workflow } from '@attractor/platform';
import { createBell, createViewerBuffer } from './viewer-buffer.ts';

/**
 * Streams of the log. A stream reads the log from its cursor and then follows it; the workflow's call is only a hint to read. So nothing is
 * missed between replay and live, nothing comes twice, and ids are the log's own numbers.
 */
export type Streams = {
  readonly open: (query: StreamQuery & { readonly after: number }, viewer: Viewer) => ReadableStream<Uint8Array>;
  /** Ends every stream with a hint to reconnect; none is opened after. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
  readonly openCount: () => number;
};

export type Viewer = {
  /** The log as they see it. */
  readonly workflow: Workflow;
  /** Asked at every heartbeat: whoever loses access loses the stream. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Ends the connection of a viewer that no longer reads. */
  readonly destroy: () => void;
};

export type StreamOptions = {
  readonly now: () => number;
  readonly heartbeatMs: number;
  /** How long a viewer may read nothing while something waits for it. */
  readonly stuckMs: number;
  readonly limitBytes: number;
};

const PAGE = 200;
const RETRY_MS = 1000;

export function createStreams(options: StreamOptions): Streams {
  const open = new Set<{ readonly finish: () => void }>();
  let closed = false;
  return {
    open: (query, viewer) => {
      const stream = follow(options, query, { ...viewer, gone: () => open.delete(stream) });
      open.add(stream);
      if (closed) stream.finish();
      return stream.body;
    },
    close: () => {
      closed = true;
      for (const stream of open) stream.finish();
    },
    isClosed: () => closed,
    openCount: () => open.size,
  };
}

type Following = Viewer & { readonly gone: () => void };

function follow(options: StreamOptions, query: StreamQuery & { readonly after: number }, viewer: Following) {
  const [{ now }, { workflow }] = [options, viewer];
  const state = { cursor: query.after, fresh: true, ended: false };
  const bell = createBell();
  const buffer = createViewerBuffer({
    limitBytes: options.limitBytes,
    now,
    onGone: () => {
      state.ended = true;
      for (const stop of stops) stop();
      bell.ring();
      viewer.gone();
    },
  });
  const abandon = () => {
    buffer.cut();
    viewer.destroy();
  };
  // Subscribed before the first read: what is written in between is found by the next read.
  const stops = [
    workflow.subscribe(() => {
      state.fresh = true;
      bell.ring();
    }),
    workflow.onDelta((delta) => {
      if (isWanted(query, delta) && !buffer.put(deltaFrame(delta))) abandon();
    }),
    every(options.heartbeatMs, () => {
      const since = buffer.waitingSince();
      if (since !== null && now() - since > options.stuckMs) abandon();
      else buffer.put(': beat\n\n');
      viewer.isStillAllowed().then((allowed) => allowed || finish(), abandon);
    }),
  ];
  buffer.put(`retry: ${RETRY_MS}\n\n`);
  const finish = () => {
    buffer.put(`retry: ${RETRY_MS}\n${frame(FRAME.closing, state.cursor, {})}`);
    buffer.end();
  };

  const pump = async () => {
    while (!state.ended) {
      state.fresh = false;
      const horizon = await workflow.lastSeq();
      const events = await workflow.events({ ...scopeOf(query), after: state.cursor, limit: PAGE });
      for (const event of events) {
        state.cursor = event.seq;
        if (query.only !== 'tasks' || concernsTaskList(event)) buffer.put(frame(FRAME.event, event.seq, event));
        await buffer.room();
      }
      if (events.length === PAGE) continue;
      state.cursor = Math.max(state.cursor, horizon);
      buffer.put(frame(FRAME.caughtUp, state.cursor, {}));
      if (!state.fresh && !state.ended) await bell.next();
    }
  };
  // If the store can't be read the stream ends; the viewer reconnects and resumes.
  pump().catch(abandon);
  return { body: buffer.body, finish };
}

function every(ms: number, act: () => void): () => void {
  const timer = setInterval(act, ms);
  timer.unref();
  return () => clearInterval(timer);
}

function scopeOf({ taskId, runId, projectId }: StreamQuery) {
  return {
    ...defined({ taskId, runId, projectId }),
  };
}

function isWanted(query: StreamQuery, delta: LiveDelta): boolean {
  if (query.only === 'tasks' || query.projectId !== undefined) return false;
  const wrongTask = query.taskId !== undefined && query.taskId !== delta.taskId;
  const wrongRun = query.runId !== undefined && query.runId !== delta.runId;
  return !wrongTask && !wrongRun;
}

function frame(name: string, seq: number, data: PlatformEvent | Readonly<Record<string, never>>): string {
  return `id: ${seq}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

function deltaFrame(delta: LiveDelta): string {
  return `event: ${FRAME.delta}\ndata: ${JSON.stringify(delta)}\n\n`;
}
