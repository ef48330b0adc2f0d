import { type Kysely, sql } from 'kysely';
import type { Schema } from './schema.ts';

/**
 * Short messages to every other process of a database, while they happen. Nothing is stored: who does not listen misses them, and some may
 * be lost. They arrive in the order in which one process sends them.
 */
export type LiveChannel = {
  /** Whoever begins to listen also hears what was said of messages that are under way: there is no need to listen before somebody watches. */
  readonly keeps?: true;
  readonly send: (message: string) => void;
  readonly listen: (listener: (message: string) => void) => () => void;
};

export const LIVE_CHANNEL = 'attractor_live';

/** PostgreSQL takes less than 8,000 bytes. */
const MOST_BYTES = 7_900;
/** A database that does not answer is no reason to keep what is only live. */
const MOST_WAITING = 200;

/** `heard`: for what comes in, by LISTEN. */
export function postgresLiveChannel(
  read: Kysely<Schema>,
): LiveChannel & { readonly heard: (message: string) => void; readonly settled: () => Promise<void> } {
  const listeners = new Set<(message: string) => void>();
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const notify = async (message: string): Promise<void> => {
    try {
      await sql`select pg_notify(${LIVE_CHANNEL}, ${message})`.execute(read);
    } catch {
      // It was only live.
    }
    waiting -= 1;
  };
  return {
    send: (message) => {
      if (waiting >= MOST_WAITING || Buffer.byteLength(message) > MOST_BYTES) return;
      waiting += 1;
      last = last.then(() => notify(message));
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    heard: (message) => {
      for (const listener of listeners) listener(message);
    },
    settled: async () => void (await last),
  };
}
