import { randomBytes } from 'node:crypto';
import type { OAuthClientProvider, OAuthDiscoveryState } from '@modelcontextprotocol/client';
import { defined } from '@attractor/base';
import type { McpOAuthSettings } from '../definition.ts';
import type { TokenFile } from './token-file.ts';

export type SignInProvider = OAuthClientProvider & {
  /** The state of the page that was opened last; null: none was. */
  readonly asked: () => string | null;
};

export type ProviderMeans = {
  readonly file: TokenFile;
  readonly settings: McpOAuthSettings;
  readonly redirectUrl: string;
  readonly port: number;
  /** Absent: nobody can sign in now, and anything beyond stored tokens fails. */
  readonly openPage?: (url: URL) => Promise<void>;
  readonly discovery?: OAuthDiscoveryState;
};

type Memory = {
  state: string | null;
  verifier: string;
  discovery: OAuthDiscoveryState | undefined;
  /** The refresh token that was read last. */
  used?: string;
  /** The only issuer that is shown a given client id. */
  issuer?: string | undefined;
};

/**
 * What the client library asks us during a sign-in. Verifier, state and discovery live as long as this value; the client and its tokens are
 * read from the file each time, so that parallel sessions use what any of them refreshed last.
 */
export function createProvider(means: ProviderMeans): SignInProvider {
  const { file, settings } = means;
  const memory: Memory = { state: null, verifier: '', discovery: means.discovery };
  return {
    asked: () => memory.state,
    get redirectUrl() {
      return means.redirectUrl;
    },
    get clientMetadata() {
      return {
        client_name: 'Attractor',
        redirect_uris: [means.redirectUrl],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        ...(settings.scopes === undefined ? {} : { scope: settings.scopes.join(' ') }),
      };
    },
    ...defined({ clientMetadataUrl: settings.clientMetadataUrl }),
    state: () => (memory.state = randomBytes(24).toString('base64url')),
    clientInformation: () => {
      const { clientId, clientSecret } = settings;
      if (clientId === undefined) return file.read().client;
      const secret = defined({ client_secret: clientSecret });
      return { client_id: clientId, ...secret, ...defined({ issuer: memory.issuer }) };
    },
    saveClientInformation: (client) => {
      if (settings.clientId !== undefined) memory.issuer = client.issuer;
      else file.write({ ...file.read(), client, port: means.port });
    },
    tokens: () => {
      const { tokens } = file.read();
      if (tokens?.refresh_token !== undefined) memory.used = tokens.refresh_token;
      return tokens;
    },
    saveTokens: (tokens) => file.write({ ...file.read(), tokens, port: means.port }),
    redirectToAuthorization: async (url) => {
      if (means.openPage === undefined) throw new SignInNeeded();
      await means.openPage(url);
    },
    saveCodeVerifier: (verifier) => void (memory.verifier = verifier),
    codeVerifier: () => memory.verifier,
    saveDiscoveryState: (state) => void (memory.discovery = state),
    discoveryState: () => memory.discovery,
    invalidateCredentials: (scope) => {
      if (scope === 'all' || scope === 'discovery') memory.discovery = means.discovery;
      forget(file, { scope, used: memory.used });
    },
  };
}

function forget(file: TokenFile, { scope, used }: { readonly scope: string; readonly used: string | undefined }): void {
  const { client, tokens, port } = file.read();
  // Another session may have refreshed them meanwhile: those are not the ones that were refused.
  const areNewer = tokens?.refresh_token !== undefined && tokens.refresh_token !== used;
  const keepsClient = scope !== 'all' && scope !== 'client';
  const keepsTokens = areNewer || (scope !== 'all' && scope !== 'tokens');
  file.write({
    ...defined({ port }),
    ...(client === undefined || !keepsClient ? {} : { client }),
    ...(tokens === undefined || !keepsTokens ? {} : { tokens }),
  });
}

/** A person has to sign in, and nobody is here. */
class SignInNeeded extends Error {
  override readonly name = 'UnauthorizedError';

  constructor() {
    super('a person has to sign in');
  }
}
