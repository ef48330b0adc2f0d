import type { LiveDelta, PlatformEvent } from '@attractor/platform';
import { type RawEvent, readEvent } from '@attractor/store/types';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

/**
 * Frames of the event stream. `event` has the log's `seq` as its id; `caught_up` and `closing` have the last `seq` that was read; a `delta`
 * has none, is never stored and is not repeated.
 */
export const FRAME = { event: 'event', delta: 'delta', caughtUp: 'caught_up', closing: 'closing' } as const;

/** One frame from the server. `caught_up` says that the log was read to its end, `closing` that it will end the stream. */
export type StreamFrame =
  | { readonly kind: 'event'; readonly event: PlatformEvent }
  | { readonly kind: 'delta'; readonly delta: LiveDelta }
  | { readonly kind: 'caught_up'; readonly seq: number }
  | { readonly kind: 'closing'; readonly seq: number };

/**
 * Reads a body of server-sent events, cut anywhere. Unknown events and broken data are ignored. The signal ends it, even if the body comes
 * from the same process and knows nothing of the call; so does a minute without any byte.
 */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  signal?: AbortSignal,
): AsyncGenerator<StreamFrame, void> {
  const decoder = new TextDecoder();
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void messages.push(message) });
  for await (const bytes of chunksOf(body, signal)) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    for (const message of messages.splice(0)) {
      const frame = frameOf(message);
      if (frame !== null) yield frame;
    }
  }
}

/** Four beats of the server: a network that is gone may never say so. */
const SILENT_MS = 60_000;

async function* chunksOf(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader();
  const cancel = () => void reader.cancel().catch(() => undefined);
  if (signal?.aborted === true) cancel();
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    for (;;) {
      const silence = setTimeout(cancel, SILENT_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    await reader.cancel().catch(() => undefined);
  }
}

function frameOf({ event: name, id, data: text }: EventSourceMessage): StreamFrame | null {
  const data = parse(text);
  const seq = Number(id ?? Number.NaN);
  if (name === FRAME.event && isEvent(data)) return { kind: 'event', event: readEvent(data) };
  if (name === FRAME.delta && isDelta(data)) return { kind: 'delta', delta: data };
  if (name === FRAME.caughtUp && Number.isSafeInteger(seq)) return { kind: 'caught_up', seq };
  if (name === FRAME.closing && Number.isSafeInteger(seq)) return { kind: 'closing', seq };
  return null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isEvent(data: unknown): data is RawEvent {
  return (
    typeof data === 'object' &&
    data !== null &&
    'seq' in data &&
    Number.isSafeInteger(data.seq) &&
    'type' in data &&
    typeof data.type === 'string' &&
    'data' in data &&
    typeof data.data === 'object' &&
    data.data !== null
  );
}

function isDelta(data: unknown): data is LiveDelta {
  return (
    typeof data === 'object' &&
    data !== null &&
    'runId' in data &&
    typeof data.runId === 'string' &&
    'delta' in data &&
    typeof data.delta === 'object' &&
    data.delta !== null
  );
}
