import { homedir, hostname, networkInterfaces } from 'node:os';
import { createNativeAgent } from '@attractor/adapters';
import { createSandbox, findSandbox, type SandboxFound, sandboxVerdict } from '@attractor/agent';
import { KEY_FRAGMENT } from '@attractor/api';
import { configurationFromEnvironment, createClient, type Client, type LlmConfiguration } from '@attractor/llm';
import { type Confine, openPlatform, type Platform, type Workflow } from '@attractor/platform';
import { createApp, type App } from './app.ts';
import { isLoopback, listen, type Listening } from './listen.ts';
import { readOrMakeToken } from './token-file.ts';

export type ServerOptions = {
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
  /** What commands of agents and checks are started in. Absent: it is looked for. */
  readonly sandbox?: SandboxFound;
  /** `true`: commands run on the machine itself. A list: for these repositories, where there is no sandbox. Absent: nowhere without one. */
  readonly allowUnsandboxed?: true | ReadonlyArray<string>;
  /** Runs at once in this process. */
  readonly concurrency?: number;
  readonly onError?: (error: unknown) => void;
};

export type ComposedServer = {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly workflow: Workflow;
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
  const platform = await openPlatformWith(options, { client, sandbox: await sandboxOf(options) });
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

/** Where every command may run outside, none is looked for. */
function sandboxOf({ sandbox, allowUnsandboxed }: ServerOptions): Promise<SandboxFound> {
  if (sandbox !== undefined) return Promise.resolve(sandbox);
  if (allowUnsandboxed === true) return Promise.resolve({ available: false, reason: 'none is wanted', remedy: '' });
  return findSandbox({ roots: [] });
}

/** Runs are unattended: whoever watches in a browser may be gone by the next command. Our own folder can't be read from inside. */
function confineRuns({ home, allowUnsandboxed }: ServerOptions, found: SandboxFound): Confine {
  return ({ repository, worktree }) => {
    const isAllowed =
      allowUnsandboxed === true || (!found.available && allowUnsandboxed?.includes(repository) === true);
    const verdict = sandboxVerdict({
      mode: 'acceptEdits',
      interactive: false,
      sandbox: found,
      allowUnsandboxed: isAllowed,
    });
    if (verdict.kind === 'refused') return verdict;
    if (verdict.kind === 'unsandboxed' || !found.available) return { kind: 'unsandboxed' };
    const sandbox = createSandbox({ bubblewrap: found, roots: [worktree], denyRead: [home] });
    return { kind: 'sandboxed', sandbox };
  };
}

function openPlatformWith(
  options: ServerOptions,
  { client, sandbox }: { readonly client: Client; readonly sandbox: SandboxFound },
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
    confine: confineRuns(options, sandbox),
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
