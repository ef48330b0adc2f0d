import { defined } from '@attractor/base';
import { callMcpServer, type McpOAuthSettings } from '@attractor/mcp';
import { CommandFailure, EXIT } from '@attractor/console';
import { VERSION } from '../version.ts';
import { httpAddress } from './address.ts';

/** What the official suite tells a client about the scenario it is in. */
export type ConformanceEnvironment = { readonly scenario: string; readonly context: string | undefined };

/**
 * The client that the official conformance suite drives: connect over HTTP, list the tools, call the first, close. Questions are answered
 * with their defaults; this program opens a sign-in page itself, since the suite's issuer asks nobody.
 */
export async function conform(url: string, environment: ConformanceEnvironment): Promise<number> {
  const oauth = signInOf(environment);
  const server = callMcpServer(
    {
      name: 'conformance',
      scope: 'flag',
      transport: { kind: 'http', url: httpAddress(url), headers: {}, ...defined({ oauth }) },
    },
    {
      workspace: process.cwd(),
      version: VERSION,
      elicit: async () => ({ action: 'accept', content: {} }),
      authorize: async ({ url: page }) => {
        await (await fetch(page)).arrayBuffer();
      },
    },
  );
  const listed = await server.tools();
  const [first] = listed.ok ? listed.value : [];
  const called = first === undefined ? listed : await server.call(first.name, { a: 2, b: 3 });
  await server.close();
  if (!called.ok) throw new CommandFailure(called.error.message);
  return EXIT.done;
}

/** Where the suite keeps a document about its test client. */
const SUITE_CLIENT = 'https://conformance-test.local/client-metadata.json';

function signInOf({ scenario, context }: ConformanceEnvironment): McpOAuthSettings | undefined {
  const given = contextOf(context);
  if (given.client_id !== undefined)
    return {
      clientId: given.client_id,
      ...defined({ clientSecret: given.client_secret }),
    };
  if (scenario.startsWith('auth/2025-03-26-')) return { isIssuerUnchecked: true };
  return scenario === 'auth/basic-cimd' ? { clientMetadataUrl: SUITE_CLIENT } : undefined;
}

function contextOf(text: string | undefined): { readonly client_id?: string; readonly client_secret?: string } {
  if (text === undefined) return {};
  const value: unknown = JSON.parse(text);
  const fields = typeof value === 'object' && value !== null ? value : {};
  return {
    ...('client_id' in fields && typeof fields.client_id === 'string' ? { client_id: fields.client_id } : {}),
    ...('client_secret' in fields && typeof fields.client_secret === 'string'
      ? { client_secret: fields.client_secret }
      : {}),
  };
}
