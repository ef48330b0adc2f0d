import type { Job, Lane, QueueLimit } from '@attractor/store';

/** What is running now, and the limits. */
export type Load = { readonly running: ReadonlyArray<Job>; readonly limits: ReadonlyArray<QueueLimit> };

/** The projects that may start another run: the one with the fewest running first, then the one served longest ago. */
export function orderLanes(lanes: ReadonlyArray<Lane>, running: ReadonlyArray<Job>): ReadonlyArray<Lane> {
  const counts = countBy(running, (job) => job.projectId);
  const count = ({ projectId }: Lane): number => counts.get(projectId) ?? 0;
  return lanes
    .filter((lane) => !lane.isPaused && (lane.maxRunning === null || count(lane) < lane.maxRunning))
    .toSorted((a, b) => count(a) - count(b) || a.served - b.served || (a.projectId < b.projectId ? -1 : 1));
}

/** The agent types, or accounts, that may not start another run. */
export function fullNames({ running, limits }: Load, kind: QueueLimit['kind']): ReadonlyArray<string> {
  const counts = countBy(running, (job) => (kind === 'agent' ? job.agentType : job.account));
  return limits
    .filter((limit) => limit.kind === kind && (counts.get(limit.name) ?? 0) >= limit.max)
    .map(({ name }) => name);
}

function countBy(jobs: ReadonlyArray<Job>, nameOf: (job: Job) => string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const job of jobs) counts.set(nameOf(job), (counts.get(nameOf(job)) ?? 0) + 1);
  return counts;
}
