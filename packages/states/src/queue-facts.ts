import {
  listLanes,
  listProviderLimits,
  listWorkersHere,
  readLimits,
  type Store,
  type WorkerRecord,
} from '@attractor/store';
import type { JobFacts } from './state-facts.ts';

/** What decides for all queued runs together whether they go on. */
export type QueueFacts = {
  readonly isPaused: boolean;
  /** The projects whose own queue is paused. */
  readonly paused: ReadonlySet<string>;
  /** Those that give signs of life. */
  readonly workers: ReadonlyArray<WorkerRecord>;
  /** By account. */
  readonly limits: ReadonlyMap<string, NonNullable<JobFacts['limit']>>;
};

export const NO_QUEUE: QueueFacts = { isPaused: false, paused: new Set(), workers: [], limits: new Map() };

export async function readQueueFacts(store: Store): Promise<QueueFacts> {
  const { isPaused } = await readLimits(store.read);
  const lanes = await listLanes(store.read);
  const workers = await listWorkersHere(store);
  const paused = new Set(lanes.filter((lane) => lane.isPaused).map(({ projectId }) => projectId));
  const limits = await listProviderLimits(store.read, new Date().toISOString());
  return {
    isPaused,
    paused,
    workers,
    limits: new Map(limits.map(({ account, until, reason }) => [account, { until, reason }])),
  };
}
