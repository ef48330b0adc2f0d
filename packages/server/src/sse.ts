import type { StreamQuery } from '@attractor/api';
import type { Workflow } from '@attractor/platform';
import { createFrames } from './frames.ts';
import { createLogTail } from './log-tail.ts';
import { openViewerStream, type Viewer, type ViewerStream } from './viewer-stream.ts';

/** Everybody's streams of the log. */
export type Streams = {
  readonly open: (query: StreamQuery & { readonly after: number }, viewer: Viewer) => ReadableStream<Uint8Array>;
  /** Ends every stream with a hint to reconnect; none is opened after. */
  readonly close: () => void;
  readonly isClosed: () => boolean;
  readonly openCount: () => number;
};

export type StreamOptions = {
  readonly workflow: Pick<Workflow, 'events' | 'lastSeq' | 'subscribe'>;
  readonly now: () => number;
  readonly heartbeatMs: number;
  /** How long a viewer may read nothing while something waits for it. */
  readonly stuckMs: number;
  readonly limitBytes: number;
};

/** How often each stream is looked at. */
const LOOK_MS = 1000;

export function createStreams(options: StreamOptions): Streams {
  const frames = createFrames();
  const tail = createLogTail({ workflow: options.workflow, frames, keepBytes: options.limitBytes / 4 });
  const open = new Set<ViewerStream>();
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const look = (): void => {
    for (const stream of open) stream.look();
  };
  return {
    open: (query, viewer) => {
      const gone = (): void => {
        open.delete(stream);
        if (open.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
      const stream = openViewerStream({ ...options, frames, tail }, query, { ...viewer, gone });
      open.add(stream);
      timer ??= setInterval(look, Math.min(LOOK_MS, options.heartbeatMs, options.stuckMs));
      timer.unref();
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
