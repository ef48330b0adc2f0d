import { refusalOfRead, type PlatformWorkflow } from '@attractor/platform';
import { Hono } from 'hono';
import { accessHandlers } from './access.ts';
import { agentHandlers } from './agents.ts';
import { refusal } from './answer.ts';
import { createFailedSignIns } from './failed-sign-ins.ts';
import { createAccess } from './auth.ts';
import { checkBody, checkHost, checkOrigin } from './request-checks.ts';
import { channelHandlers } from './channels.ts';
import { budgetHandlers } from './budgets.ts';
import { branchHandlers } from './branches.ts';
import { costHandlers } from './costs.ts';
import { attemptHandlers } from './attempts.ts';
import { checkHandlers } from './checks.ts';
import type { Env, Services } from './context.ts';
import { eventHandlers } from './events.ts';
import { gate } from './gate.ts';
import { healthHandlers } from './health.ts';
import { pipelineHandlers } from './pipelines.ts';
import { projectHandlers } from './projects.ts';
import { promptHandlers } from './prompts.ts';
import { queueHandlers } from './queue.ts';
import { runConfigHandlers } from './run-config.ts';
import { runHandlers } from './runs.ts';
import { scheduleHandlers } from './schedules.ts';
import { securityHeaders } from './security-headers.ts';
import { createStreams } from './sse.ts';
import { serveWebApp } from './static.ts';
import { artifactHandlers } from './artifacts.ts';
import { attachmentHandlers } from './attachments.ts';
import { dependencyHandlers } from './dependencies.ts';
import { noteHandlers } from './notes.ts';
import { templateHandlers } from './templates.ts';
import { issueHandlers } from './issues.ts';
import { taskHandlers } from './tasks.ts';
import { viewHandlers } from './views.ts';
import { webhookReplyHandlers } from './webhook-replies.ts';

export type AppOptions = {
  readonly workflow: PlatformWorkflow;
  readonly token: string;
  /** The kinds of agents that can be started here. */
  readonly agents?: Services['agents'];
  readonly explainConfig?: Services['explainConfig'];
  /** Folder of the built web app; null serves the API alone. */
  readonly webRoot?: string | null;
  readonly allowedHosts?: ReadonlyArray<string>;
  readonly allowedOrigins?: ReadonlyArray<string>;
  readonly heartbeatMs?: number;
  readonly stuckMs?: number;
  readonly bufferBytes?: number;
  /** Told of every failure that is our own fault; nothing of it reaches the caller. */
  readonly onError?: (error: unknown) => void;
};

export type App = {
  readonly hono: Hono<Env>;
  readonly fetch: Hono<Env>['fetch'];
  /** Key for one sign-in of a browser. */
  readonly mintKey: () => string;
  readonly openStreams: () => number;
  /** Ends the event streams; other calls are still answered. */
  readonly close: () => void;
};

const HANDLERS = [
  accessHandlers,
  projectHandlers,
  taskHandlers,
  issueHandlers,
  templateHandlers,
  noteHandlers,
  dependencyHandlers,
  attachmentHandlers,
  artifactHandlers,
  runHandlers,
  promptHandlers,
  pipelineHandlers,
  eventHandlers,
  agentHandlers,
  checkHandlers,
  queueHandlers,
  scheduleHandlers,
  channelHandlers,
  costHandlers,
  budgetHandlers,
  attemptHandlers,
  branchHandlers,
  healthHandlers,
  runConfigHandlers,
  viewHandlers,
];

/** The whole server without a socket: the same app answers HTTP and calls in the same process. */
export function createApp(options: AppOptions): App {
  const services = createServices(options);
  const callers = { allowedHosts: options.allowedHosts ?? [], allowedOrigins: options.allowedOrigins ?? [] };
  const hono = new Hono<Env>();
  hono.use(securityHeaders(), checkHost(callers), checkOrigin(callers));
  hono.get('/healthz', (context) => context.json(health(services, context.req.query('challenge'))));
  webhookReplyHandlers(hono, services);
  hono.use('/api/*', gate(services), checkBody());
  for (const handle of HANDLERS) handle(hono, services);
  hono.all('/api/*', (context) => refusal(context, 'not_found', 'There is no such route.'));
  hono.use(serveWebApp(options.webRoot ?? null));
  hono.onError((error, context) => {
    const unread = refusalOfRead(error);
    if (unread !== null) return refusal(context, 'database', unread.message);
    options.onError?.(error);
    return refusal(context, 'internal', 'The server failed on this call. Its log says why.');
  });
  return {
    hono,
    fetch: hono.fetch,
    mintKey: services.access.mintKey,
    openStreams: services.streams.openCount,
    close: services.streams.close,
  };
}

function health({ access }: Services, challenge: string | undefined): object {
  const wanted = challenge !== undefined && /^[\w-]{16,100}$/.test(challenge);
  return wanted ? { ok: true, proof: access.prove(challenge) } : { ok: true };
}

function createServices({
  workflow,
  token,
  agents,
  explainConfig,
  heartbeatMs,
  stuckMs,
  bufferBytes,
}: AppOptions): Services {
  const { now } = Date;
  return {
    workflow,
    agents: agents ?? (async () => []),
    explainConfig: explainConfig ?? null,
    access: createAccess({ token, now }),
    failedSignIns: createFailedSignIns(now),
    streams: createStreams({
      workflow,
      now,
      heartbeatMs: heartbeatMs ?? 15_000,
      stuckMs: stuckMs ?? 30_000,
      limitBytes: bufferBytes ?? 1024 * 1024,
    }),
  };
}
