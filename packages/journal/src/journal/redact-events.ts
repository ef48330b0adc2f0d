import type { SessionEvent } from '../events/event.ts';
import { redactEvent } from './redact-parts.ts';
import { type RedactedStream, type Redactor, redactStream } from '@attractor/redact';

/** The events to record in place of one: none while a delta is held back, two if an end follows one that was. */
export type EventRedactor = (event: SessionEvent) => ReadonlyArray<SessionEvent>;

type Delta = Extract<SessionEvent, { kind: 'ASSISTANT_TEXT_DELTA' | 'THINKING_DELTA' | 'TOOL_CALL_OUTPUT_DELTA' }>;
type Open = { readonly stream: RedactedStream; last: Delta };

/**
 * Redacts the events of one session. Deltas of the same text are redacted as one text, so a secret spread over several shows in none of
 * them; what was held back is emitted before the end of that text, or dropped with a discarded reply.
 */
export function createEventRedactor(redactor: Redactor): EventRedactor {
  const open = new Map<string, Open>();

  const flush = (names: ReadonlyArray<string>): ReadonlyArray<SessionEvent> =>
    names.flatMap((name) => {
      const text = open.get(name)?.stream.end() ?? '';
      const last = open.get(name)?.last;
      open.delete(name);
      return text === '' || last === undefined ? [] : [{ ...last, text }];
    });
  const pass = (event: Delta): ReadonlyArray<SessionEvent> => {
    const name = nameOf(event);
    const before = flush(ENDED_BY_DELTA[event.kind] ?? []);
    const entry = open.get(name) ?? { stream: redactStream(redactor), last: event };
    open.set(name, entry);
    entry.last = event;
    const text = entry.stream.push(event.text);
    return text === '' ? before : [...before, { ...event, text }];
  };
  return (event) => {
    if (isDelta(event)) return pass(event);
    if (DISCARDS.has(event.kind)) for (const name of REPLY) open.delete(name);
    const ended = event.kind === 'TOOL_CALL_END' ? [event.toolCallId] : ENDS_REPLY.has(event.kind) ? REPLY : [];
    return [...flush(ended), redactEvent(event, redactor)];
  };
}

/** Names of streams that are not call ids begin with a space. */
const TEXT = ' text';
const THINKING = ' thinking';
const REPLY = [THINKING, TEXT];
const DISCARDS: ReadonlySet<string> = new Set(['ASSISTANT_TEXT_START', 'ASSISTANT_TEXT_DISCARDED']);
const ENDS_REPLY: ReadonlySet<string> = new Set(['ASSISTANT_TEXT_END', 'ASSISTANT_MESSAGE', 'ERROR', 'SESSION_END']);
const ENDED_BY_DELTA: Readonly<Partial<Record<Delta['kind'], ReadonlyArray<string>>>> = {
  ASSISTANT_TEXT_DELTA: [THINKING],
  THINKING_DELTA: [TEXT],
};

function nameOf(event: Delta): string {
  if (event.kind === 'TOOL_CALL_OUTPUT_DELTA') return event.toolCallId;
  return event.kind === 'THINKING_DELTA' ? THINKING : TEXT;
}

function isDelta(event: SessionEvent): event is Delta {
  return (
    event.kind === 'ASSISTANT_TEXT_DELTA' || event.kind === 'THINKING_DELTA' || event.kind === 'TOOL_CALL_OUTPUT_DELTA'
  );
}
