import { done, once } from '@attractor/base';
import type {
  AgentRun,
  DiskUsage,
  Health,
  Inbox,
  Prompt,
  ProviderLimit,
  QueueState,
  StatedTask,
  SupervisorReport,
} from '@attractor/platform';
import { diskAnswer, limitAnswer, statusAnswer, superviseAnswer } from './answers/health.ts';
import { list } from './answers/shape.ts';
import { ask, type HttpOptions } from './http.ts';
import { route } from './route.ts';
import type { AgentInfo, ServerParts } from './server-parts.ts';

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
  /** Without those that wait for a person; the newest. */
  readonly running: ReadonlyArray<AgentRun>;
  /** How many more there are than are shown. */
  readonly runningLeft: number;
  /** The questions of the inbox; it says how many tasks more wait. */
  readonly waiting: ReadonlyArray<Prompt>;
  readonly queue: Pick<QueueState, 'isPaused' | 'running' | 'queued' | 'lanes'>;
  readonly limits: ReadonlyArray<ProviderLimit>;
  /** The tasks of these runs, and how they stand: what waits for a worker, a limit or a person is not called running. */
  readonly work: ReadonlyArray<StatedTask>;
  readonly inbox: Inbox;
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
    access: ['viewer', 'visible'],
    answers: statusAnswer,
    act: async (parts) => done(await statusOf(parts)),
  }),
  supervise: route(at.supervise, {
    about: 'look once for what died, hangs or can be cleaned up',
    access: ['operator', 'every'],
    answers: superviseAnswer,
    act: ({ workflow }) => workflow.superviseOnce(),
  }),
  disk: route(at.disk, {
    about: 'show what takes room on the machine',
    access: ['viewer', 'every'],
    answers: diskAnswer,
    act: ({ workflow }) => workflow.diskUsage(),
  }),
  limits: route(at.limits, {
    about: 'list the limits that providers have set',
    access: ['viewer', 'shared'],
    answers: () => list(limitAnswer()),
    act: async ({ workflow }) => done(await workflow.providerLimits()),
  }),
  liftLimit: route(at.liftLimit, {
    about: 'lift a limit of a provider',
    access: ['operator', 'every'],
    answers: limitAnswer,
    act: ({ workflow, params, actor }) => workflow.liftLimit(params.account, actor),
  }),
}));

/** Those that wait for a person are in the inbox. */
const UNDER_WAY = { status: 'running', unlessWaiting: true } as const;

/** As many as the inbox shows. */
const SHOWN = 50;

async function statusOf({ workflow, agents }: Pick<ServerParts, 'workflow' | 'agents'>): Promise<StatusView> {
  const [running, inbox, { isPaused, running: busy, queued, lanes }, limits, health] = await Promise.all([
    workflow.listRuns({ ...UNDER_WAY, limit: SHOWN }),
    workflow.inbox({}),
    workflow.queueState({ limit: 0 }),
    workflow.providerLimits(),
    workflow.health(),
  ]);
  const work = await workflow.taskStates([...new Set(running.map(({ taskId }) => taskId))]);
  const ready = readyPart(await agents());
  return {
    running,
    runningLeft: running.length < SHOWN ? 0 : (await workflow.countRuns(UNDER_WAY)) - running.length,
    waiting: inbox.items.flatMap(({ prompt }) => (prompt === null ? [] : [prompt])),
    queue: { isPaused, running: busy, queued, lanes },
    limits,
    work,
    inbox,
    health: { ok: health.ok && ready.ok, parts: [...health.parts, ready] },
  };
}

/** Whether tasks could be worked on: by the agents that are started if nobody chose another, in the projects that there are. */
function readyPart(agents: ReadonlyArray<AgentInfo>): Health['parts'][number] {
  const able = agents.filter(({ available }) => available).map(({ type }) => type);
  const inUse = agents.filter(({ defaultIn }) => defaultIn.length > 0);
  const usual = inUse.length > 0 ? inUse : agents.filter(({ isDefault }) => isDefault);
  const unable = usual.filter(({ available }) => !available);
  const main = agents.find(({ isDefault }) => isDefault)?.type ?? null;
  const others = unable.length === 0 || able.length === 0 ? [] : [`Others can: ${able.join(', ')}.`];
  const can = able.length === 0 ? 'none are known here' : `${able.join(', ')} can work`;
  return {
    name: 'agents',
    ok: unable.length === 0,
    summary: unable.length === 0 ? can : [...unable.map(whyNot), ...others].join(' '),
    detail: { able, default: main },
  };
}

function whyNot({ type, reason, defaultIn }: AgentInfo): string {
  const where = defaultIn.length === 0 ? '' : `, the default of ${defaultIn.slice(0, NAMED).join(', ')}`;
  const more = defaultIn.length > NAMED ? ` and ${defaultIn.length - NAMED} more` : '';
  return `${type}${where}${more}${where === '' ? '' : ','} can't work: ${(reason ?? 'it is not available').replace(/\.$/, '')}.`;
}

const NAMED = 3;
