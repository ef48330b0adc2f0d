import type { Kysely } from 'kysely';
import pg from 'pg';
import type { Changes } from './changes.ts';
import type { Schema } from './schema.ts';
import { lastSeq } from './last-seq.ts';
import { LIVE_CHANNEL } from './live-channel.ts';
import { ANYTHING, isFrom, readWritten } from './written.ts';

/** Together less than 5 s: a connection may be open and dead for that long before it is replaced. */
const HEARTBEAT_MS = 2_500;
const HEARTBEAT_TIMEOUT_MS = 2_000;
const GOODBYE_MS = 500;
const RECONNECT_MS = 250;
const LONGEST_RECONNECT_MS = 2_000;
const POLL_MS = 1_000;

/** `heard`: what others tell while it happens; it is not announced again. `name`: who we are, as we tell others. */
type Heard = { readonly changes: Changes; readonly heard: (message: string) => void; readonly name: string };

/**
 * Hints of other processes, by LISTEN on a separate connection. The connection is checked regularly and replaced when it is gone; what may
 * have been missed is announced when it is back. The log is also polled, so a lost hint costs a second.
 */
export function listenForChanges(
  config: pg.ClientConfig,
  on: Heard & { readonly read: Kysely<Schema> },
): { readonly stop: () => Promise<void> } {
  const stopping = new AbortController();
  const polling = startPolling(on);
  const listening = keepListening(config, on, stopping.signal);
  return {
    stop: async () => {
      stopping.abort();
      await polling.stop();
      await listening;
    },
  };
}

async function keepListening(config: pg.ClientConfig, on: Heard, stop: AbortSignal): Promise<void> {
  for (let wait = RECONNECT_MS; !stop.aborted; wait = Math.min(wait * 2, LONGEST_RECONNECT_MS)) {
    if (await listenOnce(config, on, stop)) wait = RECONNECT_MS;
    await pause(wait, stop);
  }
}

/** Resolves when the connection is lost or no longer wanted, with whether there was one. */
async function listenOnce(
  config: pg.ClientConfig,
  { changes, heard, name }: Heard,
  stop: AbortSignal,
): Promise<boolean> {
  let isHeard = false;
  const client = new pg.Client({ ...config, query_timeout: HEARTBEAT_TIMEOUT_MS });
  const lost = new AbortController();
  client.on('error', () => lost.abort());
  client.on('end', () => lost.abort());
  client.on('notification', ({ channel, payload }) => {
    const text = payload ?? '';
    if (channel === LIVE_CHANNEL) heard(text);
    else if (!isFrom(text, name)) changes.tell(readWritten(text), 'others');
  });
  const over = AbortSignal.any([lost.signal, stop]);
  try {
    await client.connect();
    await client.query(`listen attractor_changed; listen ${LIVE_CHANNEL}`);
    isHeard = true;
    changes.tell(ANYTHING, 'others');
    while (!over.aborted) {
      await pause(HEARTBEAT_MS, over);
      if (!over.aborted) await client.query('select 1');
    }
  } catch {
    // The server is away or the connection is dead: the next round connects again.
  } finally {
    // Nobody waits for an answer to this: on a dead connection none comes.
    const ended = client.end().catch(() => undefined);
    await Promise.race([ended, pause(GOODBYE_MS, new AbortController().signal)]);
    client.connection.stream.destroy();
  }
  return isHeard;
}

function startPolling({ changes, read }: { readonly changes: Changes; readonly read: Kysely<Schema> }) {
  let seen = -1;
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    if (!changes.isHeard()) return;
    const seq = await lastSeq(read).catch(() => seen);
    if (seq !== seen && seen !== -1) changes.tell(ANYTHING, 'others');
    seen = seq;
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null;
    });
  }, POLL_MS);
  timer.unref();
  return {
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await looking;
    },
  };
}

function pause(ms: number, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (until.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      until.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    timer.unref();
    until.addEventListener('abort', end);
  });
}
