import { hostname, networkInterfaces } from 'node:os';
import { defined, type Result } from '@attractor/base';
import { type Agent, createNativeAgent } from '@attractor/adapters';
import { KEY_FRAGMENT, type LiveSessions } from '@attractor/api';
import { configurationFromEnvironment, createClient, type Client, type LlmConfiguration } from '@attractor/llm';
import { type AgentRun, type Confine, openPlatform, type Platform, type PlatformWorkflow } from '@attractor/platform';
import { examineDefault } from '@attractor/project-config';
import { giveHeapBack, whyNotWritable } from '@attractor/system';
import { describeAgents } from './agents.ts';
import { createApp, type App } from './app.ts';
import { confineRuns, type ConfineOptions, setupOfRuns } from './confine-runs.ts';
import { isLoopback, listen, type Listening } from './listen.ts';
import { readOidcSettings } from './oidc-settings.ts';
import { ownCopies } from './own-copies.ts';
import { describeProviders } from './providers.ts';
import { defaultAgentProblems, usualAgents } from './default-agents.ts';
import { configExplainer } from './run-config.ts';
import { agentSessions } from './sessions.ts';
import { removeServerRecord, writeServerRecord } from './server-record.ts';
import { readOrMakeToken } from './token-file.ts';
import { readTraceSettings } from './trace-settings.ts';

/** The parts of the app, with or without a socket. */
export type AppServices = Pick<ConfineOptions, 'sandbox' | 'allowUnsandboxed'> & {
  /** Everything that is stored is here; nothing is written elsewhere except in projects' own worktrees. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent: the keys and addresses in `env`. */
  readonly llm?: LlmConfiguration;
  readonly provider?: string;
  readonly model?: string;
  /** Further host names under which the server is called, such as that of a proxy. */
  readonly allowedHosts?: ReadonlyArray<string>;
  readonly webRoot?: string | null;
  /** Concurrent runs in this process; 0 leaves the work to others. */
  readonly concurrency?: number;
  /** What this machine has, such as `gpu`. */
  readonly labels?: ReadonlyArray<string>;
  /** Which runs this process takes. Absent: all. */
  readonly accepts?: (run: AgentRun) => boolean;
  /** Whether the work and the requests are measured, for Prometheus. */
  readonly metrics?: boolean;
  readonly onError?: (error: unknown) => void;
  /** Who goes on with conversations of this home. Absent: they can be read only. */
  readonly live?: LiveSessions;
};

export type ServerOptions = AppServices & {
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly allowRemote?: true;
  /** Commands on this machine should use this server. */
  readonly announce?: true;
};

export type ComposedApp = {
  readonly token: string;
  readonly workflow: PlatformWorkflow;
  /** Answers calls in the same process; needs no socket. */
  readonly app: App;
  /** What a person should put right before work begins, a line each. */
  readonly problems: () => Promise<ReadonlyArray<string>>;
  /** Parks running runs, and leaves everything on disk. */
  readonly close: () => Promise<void>;
};

export type ComposedServer = ComposedApp & {
  readonly url: string;
  readonly port: number;
  /** An address that signs one browser in, once. */
  readonly signInUrl: (path?: string) => string;
};

export type ComposeResult<Composed = ComposedServer> = Result<Composed>;

/** The only place that chooses implementations: model client, agent, platform, app. */
export async function composeApp(options: AppServices): Promise<ComposeResult<ComposedApp>> {
  const token = await readOrMakeToken(options.home);
  if (!token.ok) return token;
  const oidc = readOidcSettings(options.env);
  if (!oidc.ok) return oidc;
  const llm = options.llm ?? configurationFromEnvironment(options.env);
  const client = createClient({ configuration: llm });
  const confine = options.concurrency === 0 ? confineNothing : await confineRuns(options);
  const agents = agentsOf(options, client);
  const platform = await openPlatformWith(options, { agents, confine });
  if (!platform.ok) {
    await client.close();
    return { ok: false, error: { ...platform.error, retryable: false } };
  }
  const { workflow } = platform.value;
  const place = { agents, home: options.home, env: options.env };
  const copies = ownCopies({ workflow, home: options.home, env: options.env });
  const app = createApp({
    workflow,
    copies,
    token: token.value,
    agents: async () => describeAgents(place, await usualAgents(workflow, place)),
    explainConfig: configExplainer(place),
    sessions: agentSessions(options.home, options.live),
    providers: () => describeProviders(llm, options.home),
    webRoot: options.webRoot ?? null,
    oidc: oidc.value,
    allowedHosts: [...(options.allowedHosts ?? []), ...(await publicNames(workflow))],
    ...defined({ onError: options.onError, metrics: options.metrics }),
  });
  const close = async (): Promise<void> => {
    await options.live?.close();
    await copies.close();
    await platform.value.close();
    await client.close();
  };
  const problems = () => defaultAgentProblems(workflow, { ...place, isWorking: options.concurrency !== 0 });
  return { ok: true, value: { token: token.value, workflow, app, problems, close } };
}

export type ComposedWorker = Pick<Platform, 'workflow' | 'worker' | 'close'>;

/** The platform alone, for a process that works and serves nobody. */
export async function composeWorker(options: AppServices): Promise<ComposeResult<ComposedWorker>> {
  const locked = await whyNotWritable(options.home);
  if (locked !== null) return { ok: false, error: { code: 'database', message: locked, retryable: false } };
  const client = createClient({ configuration: options.llm ?? configurationFromEnvironment(options.env) });
  const agents = agentsOf(options, client);
  const platform = await openPlatformWith(options, { agents, confine: await confineRuns(options) });
  if (!platform.ok) {
    await client.close();
    return { ok: false, error: { ...platform.error, retryable: false } };
  }
  const close = async (): Promise<void> => {
    await platform.value.close();
    await client.close();
  };
  return { ok: true, value: { ...platform.value, close } };
}

/** The same app, reachable through a socket. */
export async function composeServer(options: ServerOptions): Promise<ComposeResult> {
  const host = options.host ?? '127.0.0.1';
  const composed = await composeApp({
    ...options,
    allowedHosts: [...ownNames(host), ...(options.allowedHosts ?? [])],
  });
  if (!composed.ok) return composed;
  const refused = isLoopback(host) ? null : await withoutUsers(composed.value.workflow, host);
  if (refused !== null) {
    await composed.value.close();
    return refused;
  }
  const allowed = defined({ allowRemote: options.allowRemote });
  const listening = await listen(composed.value.app, { host, port: options.port ?? 0, ...allowed });
  if (!listening.ok) {
    await composed.value.close();
    return listening;
  }
  const { url } = listening.value;
  if (options.announce === true) await writeServerRecord(options.home, { url, pid: process.pid });
  const endTraces = await startTraces(options, composed.value.workflow);
  giveHeapBack();
  return { ok: true, value: serving(options, { ...composed.value, endTraces }, listening.value) };
}

/** Off, and not even loaded, unless the environment names a collector. */
async function startTraces({ env, onError }: ServerOptions, workflow: PlatformWorkflow): Promise<() => Promise<void>> {
  const settings = readTraceSettings(env);
  if (settings === null) return async () => undefined;
  const { exportTraces } = await import('./traces/export-traces.ts');
  return exportTraces({ workflow, settings, onTrouble: (message) => onError?.(new Error(message)) });
}

/** Whom other machines can reach has to know who calls; one token for everybody would not tell. */
async function withoutUsers(workflow: PlatformWorkflow, host: string) {
  if ((await workflow.listUsers()).length > 0) return null;
  const message = `${host} can be reached from other machines, and there are no users yet. Make one first: attractor users add NAME --role admin`;
  return { ok: false, error: { code: 'remote_refused', message, retryable: false } } as const;
}

/** Nothing is started in a process that leaves the work to others. */
const confineNothing: Confine = () => ({
  kind: 'refused',
  message: 'Agents and checks are not run by this process. Start `attractor serve` or `attractor worker`.',
});

/** The default agent in a folder, by what files say alone: no database is opened, and nobody is asked. */
export async function examineDefaultIn(path: string, place: Pick<AppServices, 'home' | 'env'>) {
  const client = createClient({ configuration: configurationFromEnvironment(place.env) });
  const agents = new Map(agentsOf(place, client).map((agent) => [agent.type, agent]));
  try {
    return await examineDefault({ agents, home: place.home, hostEnv: place.env, project: { path, config: {} } });
  } finally {
    await client.close();
  }
}

/** The first is the default. */
function agentsOf(options: AppServices, client: Client): ReadonlyArray<Agent> {
  const llm = options.llm ?? configurationFromEnvironment(options.env);
  const provider = options.provider ?? llm.defaultProvider ?? Object.keys(llm.providers ?? {})[0] ?? 'anthropic';
  const native = createNativeAgent({
    client,
    defaultProvider: provider,
    ...defined({ defaultModel: options.model ?? llm.providers?.[provider]?.model }),
  });
  return [native];
}

function openPlatformWith(
  options: AppServices,
  { agents, confine }: { readonly agents: ReadonlyArray<Agent>; readonly confine: Confine },
) {
  const databaseUrl = options.env['ATTRACTOR_DATABASE_URL'];
  return openPlatform({
    home: options.home,
    ...(databaseUrl === undefined || databaseUrl === '' ? {} : { databaseUrl }),
    env: options.env,
    agents,
    confine,
    readSetup: setupOfRuns(options),
    ...defined({
      concurrency: options.concurrency,
      labels: options.labels,
      accepts: options.accepts,
      onUnexpected: options.onError,
    }),
  });
}

/** The host name under which people reach the app: replies to webhooks arrive there. */
async function publicNames(workflow: PlatformWorkflow): Promise<ReadonlyArray<string>> {
  const settings = await workflow.notifySettings();
  return settings.ok && settings.value.publicUrl !== null ? [new URL(settings.value.publicUrl).hostname] : [];
}

/** A server for other machines accepts this machine's own names and addresses, and no others. */
function ownNames(host: string): ReadonlyArray<string> {
  if (isLoopback(host)) return [];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const names = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  return [host, hostname(), ...names];
}

function serving(
  options: ServerOptions,
  { endTraces, ...composed }: ComposedApp & { readonly endTraces: () => Promise<void> },
  listening: Listening,
): ComposedServer {
  return {
    ...composed,
    url: listening.url,
    port: listening.port,
    signInUrl: (path = '/') => `${listening.url}${path}#${KEY_FRAGMENT}=${composed.app.mintKey()}`,
    close: async () => {
      if (options.announce === true) await removeServerRecord(options.home, process.pid);
      await listening.close();
      await endTraces();
      await composed.close();
    },
  };
}
