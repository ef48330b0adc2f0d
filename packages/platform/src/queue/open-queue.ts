import type { Result, Store } from '@attractor/store';
import { localQueue, type Queue } from './queue.ts';

/** pg-boss if workers share a PostgreSQL server; otherwise, and for a process that takes no work, the embedded queue. */
export async function openQueue(
  store: Store,
  options: {
    readonly databaseUrl?: string;
    readonly concurrency?: number;
    readonly onUnexpected?: (error: unknown) => void;
  },
): Promise<Result<Queue>> {
  const { databaseUrl, concurrency, onUnexpected } = options;
  if (databaseUrl === undefined || concurrency === 0) return { ok: true, value: localQueue(store) };
  const { openPgBossQueue } = await import('./pg-boss.ts');
  return openPgBossQueue(store, { databaseUrl, onUnexpected: (error) => onUnexpected?.(error) });
}
