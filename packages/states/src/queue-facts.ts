import { listLanes, listProviderLimits, listWorkers, readLimits, signState, type Store } from '@attractor/store';
import type { JobFacts } from './state-facts.ts';

/** What decides for all queued runs together whether they go on. */
export type QueueFacts = {
  readonly isPaused: boolean;
  /** The projects whose own queue is paused. */
  readonly paused: ReadonlySet<string>;
  /** Those that give signs of life. */
  readonly workers: number;
  /** By account. */
  readonly limits: ReadonlyMap<string, NonNullable<JobFacts['limit']>>;
};

export const NO_QUEUE: QueueFacts = { isPaused: false, paused: new Set(), workers: 0, limits: new Map() };

export async function readQueueFacts(store: Store): Promise<QueueFacts> {
  const { isPaused } = await readLimits(store.read);
  const lanes = await listLanes(store.read);
  const now = await store.now();
  const workers = (await listWorkers(store.read)).filter((worker) => signState(worker, now) === 'here');
  const paused = new Set(lanes.filter((lane) => lane.isPaused).map(({ projectId }) => projectId));
  const limits = await listProviderLimits(store.read, new Date().toISOString());
  return {
    isPaused,
    paused,
    workers: workers.length,
    limits: new Map(limits.map(({ account, until, reason }) => [account, { until, reason }])),
  };
}
