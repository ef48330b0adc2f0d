import { setImmediate as nextTurn } from 'node:timers/promises';
import type { StreamQuery } from '@attractor/api';
import type { Workflow } from '@attractor/platform';
import { BEAT, caughtUpFrame, closingFrame, type Frames, RETRY } from './frames.ts';
import type { Follower, LogTail, TailBatch } from './log-tail.ts';
import { type StreamScope, streamScope } from './stream-scope.ts';
import { createViewerBuffer, type ViewerBuffer } from './viewer-buffer.ts';

/**
 * The log as one viewer gets it: read from a cursor, at the viewer's own pace, up to the end that all viewers share; a call of the workflow
 * is only a hint to read. So nothing is missed between replay and live, nothing comes twice, and ids are the log's own numbers. Whoever
 * can't keep up with the end goes back to reading.
 */
export type ViewerStream = {
  readonly body: ReadableStream<Uint8Array>;
  /** Ends it with a hint to reconnect. */
  readonly finish: () => void;
  /** Called now and then: tells how far the log has come, and drops whoever reads nothing or may no longer read. */
  readonly look: () => void;
};

export type Viewer = {
  /** The log as they see it. */
  readonly workflow: Pick<Workflow, 'events' | 'lastSeq' | 'onDelta'>;
  /** Null: all. */
  readonly projects: ReadonlyArray<string> | null;
  /** Asked at every heartbeat: whoever loses access loses the stream. */
  readonly isStillAllowed: () => Promise<boolean>;
  /** Ends the connection of a viewer that no longer reads. */
  readonly destroy: () => void;
};

type Services = {
  readonly tail: LogTail;
  readonly frames: Frames;
  readonly now: () => number;
  readonly heartbeatMs: number;
  readonly stuckMs: number;
  readonly limitBytes: number;
};

type View = {
  readonly services: Services;
  readonly viewer: Viewer;
  readonly scope: StreamScope;
  readonly buffer: ViewerBuffer;
  readonly follower: Follower;
  /** `cursor`: up to where the log was read. `told`: up to where the viewer knows. */
  readonly place: { cursor: number; told: number; isLive: boolean; beatAt: number; stopDeltas: (() => void) | null };
};

export function openViewerStream(
  services: Services,
  query: StreamQuery & { readonly after: number },
  viewer: Viewer & { readonly gone: () => void },
): ViewerStream {
  const { now, limitBytes } = services;
  const onGone = (): void => {
    services.tail.quit(view.follower);
    services.tail.leave();
    view.place.stopDeltas?.();
    viewer.gone();
  };
  const view: View = {
    services,
    viewer,
    scope: streamScope(query, viewer.projects),
    buffer: createViewerBuffer({ limitBytes, now, onGone }),
    follower: { batch: (batch) => take(view, batch), failed: () => abandon(view) },
    place: { cursor: query.after, told: query.after, isLive: false, beatAt: now(), stopDeltas: null },
  };
  put(view, RETRY);
  services.tail.enter().then(
    () => readOn(view),
    () => abandon(view),
  );
  return { body: view.buffer.body, finish: () => finish(view), look: () => look(view) };
}

const PAGE = 200;
/** A write for each event would cost more than the event. */
const PIECE_CHARS = 32_768;

/**
 * Reads until the shared end is reached. If the store can't be read the stream ends, and the viewer comes back and resumes. Between pages
 * others have their turn: nothing else waits here where the store is a file and the viewer quick.
 */
async function readOn(view: View): Promise<void> {
  try {
    for (;;) {
      await view.buffer.room();
      if (view.buffer.isEnded() || goLive(view)) return;
      await readPage(view);
      await nextTurn();
    }
  } catch {
    abandon(view);
  }
}

async function readPage({ viewer: { workflow }, scope, buffer, place, services }: View): Promise<void> {
  const horizon = await workflow.lastSeq();
  const events = await workflow.events({ ...scope.filter, after: place.cursor, limit: PAGE });
  let piece = '';
  for (const event of events) {
    place.cursor = event.seq;
    if (!scope.wants(event)) continue;
    place.told = event.seq;
    piece += services.frames.textOf(event);
    if (piece.length < PIECE_CHARS) continue;
    buffer.put(Buffer.from(piece));
    piece = '';
    await buffer.room();
  }
  if (piece !== '') buffer.put(Buffer.from(piece));
  if (events.length < PAGE) place.cursor = Math.max(place.cursor, horizon);
}

/** False: the end is further on. Between what is found here and what is told from now on there is nothing. */
function goLive(view: View): boolean {
  const { place, services, scope, viewer } = view;
  const missed = services.tail.join(place.cursor, view.follower);
  if (missed === null) return false;
  const bytes = missed.framesFor(scope, place.cursor);
  Object.assign(place, { cursor: Math.max(place.cursor, missed.seq), isLive: true });
  place.told = place.cursor;
  put(view, bytes.length === 0 ? caughtUpFrame(place.cursor) : bytes);
  place.stopDeltas ??= viewer.workflow.onDelta((delta) => {
    if (scope.wantsLive(delta)) put(view, services.frames.delta(delta));
  });
  if (view.buffer.isEnded()) place.stopDeltas();
  return true;
}

function take(view: View, batch: TailBatch): void {
  const { place, buffer, services } = view;
  const bytes = batch.framesFor(view.scope, place.cursor);
  if (!buffer.fits(bytes)) {
    place.isLive = false;
    services.tail.quit(view.follower);
    void readOn(view);
    return;
  }
  place.cursor = Math.max(place.cursor, batch.seq);
  if (bytes.length === 0) return;
  place.told = place.cursor;
  put(view, bytes);
}

function look(view: View): void {
  const { place, services, buffer, viewer } = view;
  const since = buffer.waitingSince();
  if (since !== null && services.now() - since > services.stuckMs) return abandon(view);
  if (place.isLive && place.told < place.cursor) {
    place.told = place.cursor;
    put(view, caughtUpFrame(place.cursor));
  }
  if (services.now() - place.beatAt < services.heartbeatMs) return;
  place.beatAt = services.now();
  put(view, BEAT);
  viewer.isStillAllowed().then(
    (isAllowed) => {
      if (!isAllowed) finish(view);
    },
    () => abandon(view),
  );
}

function finish({ buffer, place }: View): void {
  buffer.put(closingFrame(place.cursor));
  buffer.end();
}

function put(view: View, bytes: Uint8Array): void {
  if (!view.buffer.isEnded() && !view.buffer.put(bytes)) abandon(view);
}

function abandon({ buffer, viewer }: View): void {
  buffer.cut();
  viewer.destroy();
}
