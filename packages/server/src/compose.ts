import { homedir, hostname, networkInterfaces } from 'node:os';
import { createNativeAgent } from '@attractor/adapters';
import { KEY_FRAGMENT } from '@attractor/api';
import { configurationFromEnvironment, createClient, type Client, type LlmConfiguration } from '@attractor/llm';
import { type Confine, openPlatform, type Platform, type PlatformWorkflow } from '@attractor/platform';
import { createApp, type App } from './app.ts';
import { confineRuns, type ConfineOptions } from './confine-runs.ts';
import { isLoopback, listen, type Listening } from './listen.ts';
import { readOrMakeToken } from './token-file.ts';

export type ServerOptions = Pick<ConfineOptions, 'sandbox' | 'allowUnsandboxed'> & {
  /** Everything that is remembered lies here; nothing is written elsewhere but in projects' own worktrees. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absent: the keys and addresses that stand in `env`. */
  readonly llm?: LlmConfiguration;
  readonly provider?: string;
  readonly model?: string;
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
  readonly allowRemote?: true;
  /** Further host names under which the server is called, such as that of a proxy. */
  readonly allowedHosts?: ReadonlyArray<string>;
  readonly webRoot?: string | null;
  /** Runs at once in this process. */
  readonly concurrency?: number;
  readonly onError?: (error: unknown) => void;
};

export type ComposedServer = {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly workflow: PlatformWorkflow;
  /** The app without its socket, for calls in the same process. */
  readonly app: App;
  /** An address that signs one browser in, once. */
  readonly signInUrl: (path?: string) => string;
  /** Stops serving, parks what runs, and leaves everything on disk. */
  readonly close: () => Promise<void>;
};

export type ComposeFailure = { readonly code: string; readonly message: string; readonly retryable: boolean };

export type ComposeResult =
  | { readonly ok: true; readonly value: ComposedServer }
  | { readonly ok: false; readonly error: ComposeFailure };

/** The one place that names what the parts are made of: model client, agent, platform, app, socket. */
export async function composeServer(options: ServerOptions): Promise<ComposeResult> {
  const host = options.host ?? '127.0.0.1';
  const token = await readOrMakeToken(options.home);
  if (!token.ok) return token;
  const client = createClient({ configuration: options.llm ?? configurationFromEnvironment(options.env) });
  const platform = await openPlatformWith(options, { client, confine: await confineRuns(options) });
  if (!platform.ok) {
    await client.close();
    return { ok: false, error: { ...platform.error, retryable: false } };
  }
  const app = createApp({
    workflow: platform.value.workflow,
    token: token.value,
    webRoot: options.webRoot ?? null,
    allowedHosts: [...ownNames(host), ...(options.allowedHosts ?? [])],
    ...(options.onError === undefined ? {} : { onError: options.onError }),
  });
  const allowed = options.allowRemote === undefined ? {} : { allowRemote: options.allowRemote };
  const listening = await listen(app, { host, port: options.port ?? 0, ...allowed });
  if (!listening.ok) {
    await platform.value.close();
    await client.close();
    return listening;
  }
  return {
    ok: true,
    value: composed({ app, client, platform: platform.value, listening: listening.value, token: token.value }),
  };
}

function openPlatformWith(
  options: ServerOptions,
  { client, confine }: { readonly client: Client; readonly confine: Confine },
) {
  const llm = options.llm ?? configurationFromEnvironment(options.env);
  const provider = options.provider ?? llm.defaultProvider ?? Object.keys(llm.providers ?? {})[0] ?? 'anthropic';
  const native = createNativeAgent({
    client,
    defaultProvider: provider,
    settings: { home: options.home, userHome: options.env['HOME'] ?? homedir(), env: options.env },
    ...(options.model === undefined ? {} : { defaultModel: options.model }),
  });
  const databaseUrl = options.env['ATTRACTOR_DATABASE_URL'];
  return openPlatform({
    home: options.home,
    ...(databaseUrl === undefined || databaseUrl === '' ? {} : { databaseUrl }),
    env: options.env,
    agents: [native],
    confine,
    ...(options.concurrency === undefined ? {} : { concurrency: options.concurrency }),
    ...(options.onError === undefined ? {} : { onUnexpected: options.onError }),
  });
}

/** A server for other machines answers to this machine's own names and addresses, and to no others. */
function ownNames(host: string): ReadonlyArray<string> {
  if (isLoopback(host)) return [];
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const names = addresses.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  return [host, hostname(), ...names];
}

type Parts = {
  readonly app: App;
  readonly client: Client;
  readonly platform: Platform;
  readonly listening: Listening;
  readonly token: string;
};

function composed({ app, client, platform, listening, token }: Parts): ComposedServer {
  return {
    url: listening.url,
    port: listening.port,
    token,
    workflow: platform.workflow,
    app,
    signInUrl: (path = '/') => `${listening.url}${path}#${KEY_FRAGMENT}=${app.mintKey()}`,
    close: async () => {
      await listening.close();
      await platform.close();
      await client.close();
    },
  };
}
