import type {
  AgentRun,
  DiskUsage,
  Health,
  Prompt,
  ProviderLimit,
  QueueState,
  SupervisorReport,
} from '@attractor/platform';
import { get, post, type HttpOptions } from './http.ts';
import { fillPath } from './path.ts';

export const healthRoutes = {
  status: '/api/status',
  supervise: '/api/supervise',
  disk: '/api/disk',
  limits: '/api/provider-limits',
  lift: '/api/provider-limits/:account/lift',
} as const;

/** What a person who comes back wants to know: what runs, what waits for them, what waits for a worker, and whether all is well. */
export type StatusView = {
  readonly running: ReadonlyArray<AgentRun>;
  readonly waiting: ReadonlyArray<Prompt>;
  readonly queue: Pick<QueueState, 'isPaused' | 'running' | 'queued'>;
  readonly limits: ReadonlyArray<ProviderLimit>;
  readonly health: Health;
};

export type { DiskUsage, Health, ProviderLimit, SupervisorReport } from '@attractor/platform';

export function healthCalls(http: HttpOptions) {
  return {
    status: () => get<StatusView>(http, healthRoutes.status),
    supervise: () => post<SupervisorReport>(http, healthRoutes.supervise),
    disk: () => get<DiskUsage>(http, healthRoutes.disk),
    limits: () => get<ReadonlyArray<ProviderLimit>>(http, healthRoutes.limits),
    liftLimit: (account: string) => post<ProviderLimit>(http, fillPath(healthRoutes.lift, { account })),
  };
}
