import { done } from '@attractor/base';
import type {
  AgentRun,
  DiskUsage,
  Health,
  PlatformWorkflow,
  Prompt,
  ProviderLimit,
  QueueState,
  SupervisorReport,
} from '@attractor/platform';
import { ask, type HttpOptions } from './http.ts';
import { once } from './once.ts';
import { route } from './route.ts';

const at = {
  status: 'GET /api/status',
  supervise: 'POST /api/supervise',
  disk: 'GET /api/disk',
  limits: 'GET /api/provider-limits',
  liftLimit: 'POST /api/provider-limits/:account/lift',
} as const;

/**
 * What a returning person wants to know: what is running, what waits for them, what waits for a worker, and whether everything is healthy.
 */
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
    status: () => ask<StatusView>(http, at.status),
    supervise: () => ask<SupervisorReport>(http, at.supervise),
    disk: () => ask<DiskUsage>(http, at.disk),
    limits: () => ask<ReadonlyArray<ProviderLimit>>(http, at.limits),
    liftLimit: (account: string) => ask<ProviderLimit>(http, at.liftLimit, { params: { account } }),
  };
}

export const healthRoutes = /* @__PURE__ */ once(() => ({
  status: route(at.status, {
    about: 'show what runs, what waits for a person, and whether all is well',
    act: async ({ workflow }) => done(await statusOf(workflow)),
  }),
  supervise: route(at.supervise, {
    about: 'look once for what died, hangs or can be tidied up',
    act: ({ workflow }) => workflow.superviseOnce(),
  }),
  disk: route(at.disk, {
    about: 'show what takes room on the machine',
    act: ({ workflow }) => workflow.diskUsage(),
  }),
  limits: route(at.limits, {
    about: 'list the limits that providers have set',
    act: async ({ workflow }) => done(await workflow.providerLimits()),
  }),
  liftLimit: route(at.liftLimit, {
    about: 'lift a limit of a provider',
    act: ({ workflow, params, actor }) => workflow.liftLimit(params.account, actor),
  }),
}));

async function statusOf(workflow: PlatformWorkflow): Promise<StatusView> {
  const [running, waiting, { isPaused, running: busy, queued }, limits, health] = await Promise.all([
    workflow.listRuns({ status: 'running' }),
    workflow.listPrompts({ status: 'pending' }),
    workflow.queueState({ limit: 0 }),
    workflow.providerLimits(),
    workflow.health(),
  ]);
  return { running, waiting, queue: { isPaused, running: busy, queued }, limits, health };
}
