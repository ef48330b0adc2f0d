import { advance, createRecorder, type Replay, type SessionView, type TruncationConfig } from '@attractor/agent';
import { createEventRedactor, type DeliveredEvent, type Journal, type SessionEvent } from '@attractor/journal';
import type { Redactor } from '@attractor/redact';

/** How much of a tool's answer a model is sent; the journal has all of it. */
export const OUTPUT_LIMITS: TruncationConfig = {
  toolOutputLimits: { 'file.read': 60_000, 'file.search': 40_000, 'file.list': 40_000 },
};

/**
 * A conversation on its journal. Every event is redacted, folded into the view and stored before it is shown; the view is what the
 * journal's records add up to, now and after any restart.
 */
export type Conversation = {
  readonly id: string;
  readonly view: () => SessionView;
  /** The event as it was stored: without secrets. */
  readonly record: <Event extends SessionEvent>(event: Event) => Event;
  readonly close: () => void;
};

export type ConversationSource = {
  readonly id: string;
  readonly journal: Journal;
  readonly past: Replay;
  readonly redactor: Redactor;
  readonly onEvent: (event: DeliveredEvent) => void;
};

export function openConversation({ id, journal, past, redactor, onEvent }: ConversationSource): Conversation {
  const recorder = createRecorder({
    sessionId: id,
    lastSeq: past.lastSeq,
    journal,
    stream: { push: onEvent, end: () => undefined, read: nobodyReads },
  });
  const redact = createEventRedactor(redactor);
  let view = past.view;
  return {
    id,
    view: () => view,
    record: (event) => {
      let stored = event;
      for (const safe of redact(event)) {
        view = advance(view, safe, OUTPUT_LIMITS);
        recorder.record(safe);
        if (isSameKind(safe, event)) stored = safe;
      }
      return stored;
    },
    close: recorder.close,
  };
}

function isSameKind<Event extends SessionEvent>(one: SessionEvent, event: Event): one is Event {
  return one.kind === event.kind;
}

async function* nobodyReads(): AsyncGenerator<DeliveredEvent> {
  // Events go to `onEvent` as they are recorded.
}
