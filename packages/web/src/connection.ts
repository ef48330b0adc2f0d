import { useSyncExternalStore } from 'react';
import type { Connection } from './live.ts';

const store = { connection: 'connecting' as Connection, listeners: new Set<() => void>() };

/** One banner for the whole page: the screen that follows the log reports its connection. */
export function showConnection(connection: Connection): void {
  if (store.connection === connection) return;
  store.connection = connection;
  for (const listener of store.listeners) listener();
}

export function useConnection(): Connection {
  return useSyncExternalStore(listen, () => store.connection);
}

function listen(listener: () => void): () => void {
  store.listeners.add(listener);
  return () => store.listeners.delete(listener);
}
