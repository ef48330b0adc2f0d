import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createNativeAgent } from '@attractor/adapters';
import { childVariables } from '@attractor/agent';
import { createClient, type LlmConfiguration } from '@attractor/llm';
import { openPlatform, type Workflow } from '@attractor/platform';
import { createApp } from './app.ts';
import { listen, type ListenOptions } from './listen.ts';
import { newSecret } from './secret.ts';

export type ServerOptions = Partial<ListenOptions> & {
  /** Where state lives: the database, the journals, the access token. */
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly llm: LlmConfiguration;
  readonly provider?: string;
  readonly model?: string;
  /** Folder of the built web app; null serves the API alone. */
  readonly webRoot: string | null;
  readonly onError?: (error: unknown) => void;
};

/** A server that works: what it was told is on disk, and `close` parks what is running. */
export type ComposedServer = {
  readonly workflow: Workflow;
  readonly url: string;
  /** An address for a person's browser; the key behind # signs in once and is never sent in a request line. */
  readonly signInUrl: (path?: string) => string;
  readonly close: () => Promise<void>;
};

export type ComposeResult =
  | { readonly ok: true; readonly value: ComposedServer }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** The one place where ports meet their implementations. */
export async function composeServer(options: ServerOptions): Promise<ComposeResult> {
  const token = readToken(options.home);
  if (!token.ok) return token;
  const client = createClient({ configuration: options.llm });
  const native = createNativeAgent({
    client,
    defaultProvider:
      options.provider ?? options.llm.defaultProvider ?? Object.keys(options.llm.providers ?? {})[0] ?? 'anthropic',
    ...(options.model !== undefined && { defaultModel: options.model }),
  });
  const onError = options.onError ?? (() => undefined);
  const opened = await openPlatform({
    home: options.home,
    agents: [native],
    env: childVariables('inherit_core', options.env),
    onUnexpected: onError,
  });
  if (!opened.ok) return opened;
  const platform = opened.value;
  const app = createApp({ workflow: platform.workflow, token: token.value, webRoot: options.webRoot, onError });
  const listening = await listen(app, {
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    ...(options.allowRemote === true && { allowRemote: true as const }),
  });
  const shut = async (): Promise<void> => {
    if (listening.ok) await listening.value.close();
    await platform.close();
    await client.close();
  };
  if (!listening.ok) {
    await shut();
    return listening;
  }
  const { url } = listening.value;
  return {
    ok: true,
    value: {
      workflow: platform.workflow,
      url,
      signInUrl: (path = '/') => `${url}${path}#key=${app.mintKey()}`,
      close: shut,
    },
  };
}

type Token =
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly error: { readonly code: 'database'; readonly message: string } };

/** The access token of this home: made once, readable by its owner only. */
function readToken(home: string): Token {
  const file = join(home, 'token');
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 });
    if (!existsSync(file)) writeFileSync(file, newSecret(), { mode: 0o600, flag: 'wx' });
    chmodSync(file, 0o600);
    return { ok: true, value: readFileSync(file, 'utf8').trim() };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return {
      ok: false,
      error: {
        code: 'database',
        message: `${home} can't be written to (${detail}). Set ATTRACTOR_HOME to a folder you can write to.`,
      },
    };
  }
}
