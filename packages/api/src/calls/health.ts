import type { DiskUsage, ProviderLimit, SupervisorReport } from '@attractor/platform';
import { healthRoutes, type StatusView } from '../health.ts';
import { get, post, type HttpOptions } from '../http.ts';
import { fillPath } from '../path.ts';

export function healthCalls(http: HttpOptions) {
  return {
    status: () => get<StatusView>(http, healthRoutes.status),
    supervise: () => post<SupervisorReport>(http, healthRoutes.supervise),
    disk: () => get<DiskUsage>(http, healthRoutes.disk),
    limits: () => get<ReadonlyArray<ProviderLimit>>(http, healthRoutes.limits),
    liftLimit: (account: string) => post<ProviderLimit>(http, fillPath(healthRoutes.lift, { account })),
  };
}
