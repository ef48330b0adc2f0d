import { BUILT_IN_PIPELINES, mermaidGraph, readPipelineDefinition, svgGraph } from '@attractor/pipeline';
import { describeApi, metricRoutes, ROUTES } from '@attractor/api';
import { type PlatformWorkflow, refusalOfRead } from '@attractor/platform';
import { describeTools } from '@attractor/tool-table';
import { Hono } from 'hono';
import { refusal } from './answer.ts';
import { createFailedSignIns } from './failed-sign-ins.ts';
import { createAccess } from './auth.ts';
import { compressed } from './compressed.ts';
import { checkBody, checkHost, checkOrigin } from './request-checks.ts';
import type { Env, Services } from './context.ts';
import { gate } from './gate.ts';
import { HTTP_HANDLERS } from './http-handlers.ts';
import type { OidcSettings } from './oidc-settings.ts';
import { serveSignInWays } from './oidc/handlers.ts';
import { serveHealth } from './open-handlers.ts';
import { createRequestCounts } from './request-counts.ts';
import { securityHeaders } from './security-headers.ts';
import { serveRoutes } from './serve-routes.ts';
import { createStreams } from './sse.ts';
import { serveWebApp } from './static.ts';
import { createTaskListSnapshot } from './task-list-snapshot.ts';
import { serveWebhookReplies } from './webhook-replies.ts';

export type AppOptions = {
  readonly workflow: PlatformWorkflow;
  readonly token: string;
  /** The agents that can be started here. */
  readonly agents?: Services['agents'];
  readonly copies?: Services['copies'];
  readonly explainConfig?: Services['explainConfig'];
  readonly providers?: Services['providers'];
  readonly sessions?: Services['sessions'];
  /** Folder of the built web app; null serves the API alone. */
  readonly webRoot?: string | null;
  readonly allowedHosts?: ReadonlyArray<string>;
  readonly allowedOrigins?: ReadonlyArray<string>;
  /** Who else tells who somebody is. */
  readonly oidc?: OidcSettings | null;
  /** Whether the work and the requests are measured, for Prometheus. */
  readonly metrics?: boolean;
  readonly heartbeatMs?: number;
  readonly stuckMs?: number;
  readonly bufferBytes?: number;
  /** Called with every failure that is our own fault; nothing of it reaches the caller. */
  readonly onError?: (error: unknown) => void;
};

export type App = {
  readonly hono: Hono<Env>;
  readonly fetch: Hono<Env>['fetch'];
  /** A key for one sign-in of a browser. */
  readonly mintKey: () => string;
  readonly openStreams: () => number;
  /** Ends the event streams; other calls are still answered. */
  readonly close: () => void;
};

/** The whole server without a socket: the same app answers HTTP and calls in the same process. */
export function createApp(options: AppOptions): App {
  const services = createServices(options);
  const callers = { allowedHosts: options.allowedHosts ?? [], allowedOrigins: options.allowedOrigins ?? [] };
  const hono = new Hono<Env>();
  if (services.requests !== null) hono.use(services.requests.note);
  hono.use(compressed(), securityHeaders(), checkHost(callers), checkOrigin(callers));
  serveHealth(hono, services, callers);
  serveWebhookReplies(hono, services);
  serveSignInWays(hono, { services, token: options.token, settings: options.oidc ?? null });
  hono.use(metricRoutes().read.path, gate(services));
  for (const all of ['/api/*', '/coding/*']) hono.use(all, gate(services), checkBody());
  serveRoutes(hono, services, { nouns: ROUTES, handlers: HTTP_HANDLERS });
  for (const all of ['/api/*', '/coding/*'])
    hono.all(all, (context) => refusal(context, 'not_found', 'There is no such route.'));
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

/** Half a megabyte that never changes is made once, and only if somebody asks. */
function describeOnce(): Services['describeApi'] {
  let made: ReturnType<typeof describeApi> | null = null;
  return () => (made ??= describeApi());
}

function createServices({
  workflow,
  token,
  agents,
  copies,
  explainConfig,
  providers,
  sessions,
  heartbeatMs,
  stuckMs,
  bufferBytes,
  metrics,
}: AppOptions): Services {
  const { now } = Date;
  return {
    workflow,
    agents: agents ?? (async () => []),
    copies: copies ?? null,
    tools: describeTools,
    providers: providers ?? (() => []),
    sessions: sessions ?? null,
    explainConfig: explainConfig ?? null,
    taskList: createTaskListSnapshot(workflow),
    builtInPipelines: BUILT_IN_PIPELINES.map(({ id }) => id),
    drawPipeline: { mermaid: mermaidGraph, svg: svgGraph },
    readPipeline: readPipelineDefinition,
    describeApi: describeOnce(),
    access: createAccess({ token, now }),
    failedSignIns: createFailedSignIns(now, (address) => {
      const summary = `Too many failed attempts from ${address}`;
      void workflow.noteAct({ actor: { type: 'user' }, person: 'unknown', act: 'sign_in.refused', summary });
    }),
    requests: metrics === true ? createRequestCounts() : null,
    streams: createStreams({
      workflow,
      now,
      heartbeatMs: heartbeatMs ?? 15_000,
      stuckMs: stuckMs ?? 30_000,
      limitBytes: bufferBytes ?? 1024 * 1024,
    }),
  };
}
