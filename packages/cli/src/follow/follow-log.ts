import type { ApiClient, Failure, StreamFrame, StreamQuery } from '@attractor/api';
import { valueOf } from '@attractor/console/lines';

export type FollowLogOptions = {
  readonly client: ApiClient;
  readonly query: StreamQuery;
  readonly signal: AbortSignal;
  /** For people: the connection is lost, or back. */
  readonly say: (text: string) => void;
};

/**
 * The log from `query.after` on, then live events, until the signal. Each event comes once and in order: after a broken connection, for
 * example when the server restarts, it reconnects after the last event. If the first connection fails, that is a failure.
 */
export async function* followLog(following: FollowLogOptions): AsyncGenerator<StreamFrame, void> {
  // In the same process nothing else keeps it alive while nothing happens.
  const alive = setInterval(() => undefined, 60_000);
  try {
    yield* connections(following);
  } finally {
    clearInterval(alive);
  }
}

async function* connections({ client, query, signal, say }: FollowLogOptions): AsyncGenerator<StreamFrame, void> {
  let after = query.after ?? 0;
  let lost = 0;
  let isKnown = false;
  while (!signal.aborted) {
    const opened = await client.events.stream({ ...query, after }, signal);
    if (!opened.ok && !signal.aborted && !(isKnown && mayComeBack(opened.error))) valueOf(opened);
    if (opened.ok) {
      if (lost > 0) say('Connected again.');
      isKnown = true;
      lost = 0;
      for await (const frame of untilBroken(opened.value)) {
        if (frame.kind === 'event') after = frame.event.seq;
        if (frame.kind === 'caught_up') after = Math.max(after, frame.seq);
        if (frame.kind !== 'closing') yield frame;
      }
    }
    if (signal.aborted) return;
    if (lost === 0) say('Connection lost; trying again.');
    await pause(Math.min(PAUSE_MS * 2 ** lost, LONGEST_PAUSE_MS), signal);
    lost += 1;
  }
}

const PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5000;

function mayComeBack({ code }: Failure): boolean {
  return code === 'network' || code === 'unavailable' || code === 'internal' || code === 'database';
}

/** A connection that breaks off in the middle ends like any other. */
async function* untilBroken(frames: AsyncGenerator<StreamFrame, void>): AsyncGenerator<StreamFrame, void> {
  try {
    yield* frames;
  } catch {
    return;
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}
