import type { Journal } from '@attractor/journal';
import type { EventKind, SessionEvent } from '../types/index.ts';
import type { EventStream } from './event-stream.ts';

/** Deltas, and events whose content the end event repeats, are shown and never stored. */
const NOT_STORED: ReadonlySet<EventKind> = new Set<EventKind>([
  'ASSISTANT_TEXT_START',
  'ASSISTANT_TEXT_DELTA',
  'ASSISTANT_TEXT_END',
  'ASSISTANT_TEXT_DISCARDED',
  'THINKING_DELTA',
  'TOOL_CALL_OUTPUT_DELTA',
  'HOOK_PROGRESS',
  'USAGE',
  'CONNECTION_LOST',
  'CONNECTION_RESTORED',
  'SUBAGENT_EVENT',
]);

/**
 * Before one of these is acknowledged, everything up to it survives a power cut. A request for approval is not among them: while it waits,
 * the journal soon syncs it anyway, and if it is lost before that, the resumed session makes it again.
 */
const SYNCED: ReadonlySet<EventKind> = new Set<EventKind>([
  'QUESTION_ASKED',
  'QUESTION_ANSWERED',
  'SUBAGENT_START',
  'COMPACTED',
  'PROCESSING_END',
  'SESSION_END',
  'ERROR',
]);

export type Recorder = {
  /** Stores, then shows, an event that no longer contains secrets. Returns once the event is as durable as its kind demands. */
  readonly record: (event: SessionEvent) => void;
  /** With an error readers of the events throw it. */
  readonly close: (error?: Error) => void;
};

export type RecorderOptions = {
  readonly sessionId: string;
  readonly lastSeq: number;
  readonly journal: Journal | undefined;
  readonly stream: EventStream;
};

/** Numbers events, writes those that are stored, and shows all of them, in this order. */
export function createRecorder({ sessionId, lastSeq, journal, stream }: RecorderOptions): Recorder {
  let seq = lastSeq;
  return {
    record(event) {
      const isStored = !NOT_STORED.has(event.kind);
      if (isStored) seq++;
      const delivered = { ...event, seq, at: new Date().toISOString(), sessionId };
      if (isStored) journal?.append(delivered);
      if (mustSync(event)) journal?.sync();
      stream.push(delivered);
    },
    close(error) {
      try {
        journal?.close();
      } finally {
        stream.end(error);
      }
    },
  };
}

/** A tool that can change something runs only after its start, and the reply that asked for it, can't be lost. */
function mustSync(event: SessionEvent): boolean {
  return SYNCED.has(event.kind) || (event.kind === 'TOOL_CALL_START' && event.readOnly !== true);
}
