import type { FetchLike, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { defined } from '@attractor/base';
import type { McpHttpServer, McpOAuthSettings } from '../definition.ts';
import { type Callback, openCallback } from './callback.ts';
import { createProvider, type SignInProvider } from './provider.ts';
import type { TokenFile } from './token-file.ts';

/** Shows the sign-in page to the person. Returns once it is shown; the answer comes on loopback. */
export type McpAuthorize = (request: { readonly server: string; readonly url: string }) => Promise<void>;

export type SignInMeans = {
  readonly tokenFile: (url: string) => TokenFile;
  readonly authorize?: McpAuthorize;
  readonly fetch: FetchLike;
  readonly timeoutMs?: number;
};

/** Signing in to one server. `provider` null: there is no token and nobody could get one. */
export type SignIn = {
  readonly provider: SignInProvider | null;
  /** Waits for the person for whom a page was opened; rejects if nobody comes. */
  readonly answer: () => Promise<URLSearchParams>;
  readonly close: () => void;
};

const TIMEOUT_MS = 5 * 60_000;
/** For a sign-in that is only refreshed: nobody is sent there. */
const UNUSED_PORT = 9;

export async function openSignIn(name: string, server: McpHttpServer, means: SignInMeans): Promise<SignIn> {
  const file = means.tokenFile(server.url);
  const { tokens, port = 0 } = file.read();
  const { authorize } = means;
  const settings = server.oauth ?? {};
  if (!mayNeedSignIn(server) || (authorize === undefined && tokens === undefined)) return NONE;
  const discovery = await statedIssuer(settings, means.fetch);
  const known = { file, settings, ...defined({ discovery }) };
  if (authorize === undefined) {
    const at = settings.callbackPort ?? (port || UNUSED_PORT);
    const provider = createProvider({ ...known, port: at, redirectUrl: `http://127.0.0.1:${at}/callback` });
    return { ...NONE, provider };
  }
  const callback = await openCallback(settings.callbackPort ?? port, { isFixed: settings.callbackPort !== undefined });
  forgetClientOfOtherPort(file, callback);
  let answer: Promise<URLSearchParams> | null = null;
  let isClosed = false;
  const provider = createProvider({
    ...known,
    port: callback.port,
    redirectUrl: callback.redirectUrl,
    openPage: async (url) => {
      answer = callback.expect(provider.asked() ?? '', { timeoutMs: means.timeoutMs ?? TIMEOUT_MS });
      // The waiter sees the failure.
      answer.catch(() => undefined);
      if (!isClosed) await authorize({ server: name, url: url.href });
    },
  });
  return {
    provider,
    answer: () => answer ?? Promise.reject(new Error('no page was opened')),
    close: () => {
      isClosed = true;
      callback.close();
    },
  };
}

const NONE: SignIn = {
  provider: null,
  answer: () => Promise.reject(new Error('no page was opened')),
  close: () => undefined,
};

/** A header with a credential is the person's own way to sign in, unless they say otherwise. */
function mayNeedSignIn({ headers, oauth }: McpHttpServer): boolean {
  return oauth !== undefined || !Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** A client is registered with its callback address. */
function forgetClientOfOtherPort(file: TokenFile, { port }: Callback): void {
  const { client, tokens, port: before } = file.read();
  if (client === undefined || before === port) return;
  file.write(defined({ tokens }));
}

/** If a person named the issuer's document, the server is not asked for it. */
async function statedIssuer(
  { authServerMetadataUrl: url }: McpOAuthSettings,
  fetch: FetchLike,
): Promise<OAuthDiscoveryState | undefined> {
  if (url === undefined) return undefined;
  const { discoverAuthorizationServerMetadata } = await import('@modelcontextprotocol/client');
  const issuer = url.replace(/\/\.well-known\/(?:oauth-authorization-server|openid-configuration)/, '');
  const metadata = await discoverAuthorizationServerMetadata(issuer, { fetchFn: fetch });
  return {
    authorizationServerUrl: issuer,
    ...defined({ authorizationServerMetadata: metadata }),
  };
}
