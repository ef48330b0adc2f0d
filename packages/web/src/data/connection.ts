import { useSyncExternalStore } from 'react';
import type { Connection } from './live.ts';

const store = { streams: new Map<string, Connection>(), shown: 'connecting' as Connection };
const listeners = new Set<() => void>();

/** The worst that any stream reports is what the page shows. */
const WORST: ReadonlyArray<Connection> = ['signed_out', 'lost', 'connecting', 'live'];

/** One banner for the whole page: whoever follows the log reports its connection, and null when it stops. */
export function reportConnection(stream: string, connection: Connection | null): void {
  if (connection === null) store.streams.delete(stream);
  else store.streams.set(stream, connection);
  const reported = new Set(store.streams.values());
  const shown = WORST.find((one) => reported.has(one)) ?? store.shown;
  if (shown === store.shown) return;
  store.shown = shown;
  for (const listener of listeners) listener();
}

/** Somebody signs in: what was reported before is over. */
export function forgetConnections(): void {
  store.streams.clear();
  store.shown = 'connecting';
  for (const listener of listeners) listener();
}

export function useConnection(): Connection {
  return useSyncExternalStore(listen, () => store.shown);
}

/** For whoever is no part of the page. */
export function connectionNow(): Connection {
  return store.shown;
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
