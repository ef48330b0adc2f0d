import type * as Library from '@modelcontextprotocol/client';
import type { Client, FetchLike, Transport } from '@modelcontextprotocol/client';
import { pathToFileURL } from 'node:url';
import { isRecord } from '@attractor/base';
import { boundedFetch } from './bounded-fetch.ts';
import type { McpHttpServer, McpServerDefinition } from './definition.ts';
import { answerElicitation, type McpElicit } from './elicitation.ts';
import { createHostTransport } from './host-transport.ts';
import { openSignIn, type McpAuthorize, type SignIn } from './oauth/sign-in.ts';
import type { TokenFile } from './oauth/token-file.ts';
import { withSoundAnswers } from './sound-answers.ts';
import { createStdioTransport, type McpLaunch } from './stdio-transport.ts';

export type McpMeans = {
  readonly launch: McpLaunch;
  readonly version: string;
  /** Where the tokens for an address are stored. */
  readonly tokenFile: (url: string) => TokenFile;
  readonly elicit?: McpElicit;
  readonly authorize?: McpAuthorize;
  /** Runs a server's `headersHelper` and gives what it printed; rejects if it fails. Absent: such a server is not used. */
  readonly runHelper?: McpRunHelper;
};

export type McpRunHelper = (command: string, definition: McpServerDefinition) => Promise<string>;

export type ClientEvents = {
  readonly onClose: () => void;
  readonly onToolsChanged: () => void;
  readonly onPromptsChanged: () => void;
  /** Something of an answer can't be understood and is left out. */
  readonly onLeftOut: (text: string) => void;
  /** A person is asked; call the returned function when they are done. */
  readonly onAsking: () => () => void;
};

/** An open connection. `close` ends the program or the session at the server. */
export type OpenedClient = {
  readonly client: Client;
  /** Completes a sign-in that the server required; rejects if nobody signs in. */
  readonly signIn: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A client that is not connected yet. `lastWords`: what the program printed for people. */
export type PreparedClient = OpenedClient & {
  readonly connect: (options: { readonly signal: AbortSignal; readonly timeoutMs: number }) => Promise<void>;
  readonly lastWords: () => string;
};

/** Loads the client library; nothing of it is loaded before a first server is used. */
export async function prepareClient(
  definition: McpServerDefinition,
  means: McpMeans,
  events: ClientEvents,
): Promise<PreparedClient> {
  const sdk = await import('@modelcontextprotocol/client');
  const { transport: server, name } = definition;
  const client = new sdk.Client(
    { name: 'attractor', version: means.version },
    {
      listMaxPages: MAX_PAGES,
      capabilities: {
        roots: {},
        elicitation: { form: { applyDefaults: true }, ...(means.elicit === undefined ? {} : { url: {} }) },
      },
    },
  );
  client.setRequestHandler('roots/list', () => ({
    roots: [{ uri: pathToFileURL(means.launch.workspace).href, name: 'workspace' }],
  }));
  client.setRequestHandler('elicitation/create', async ({ params }, { mcpReq }) => {
    const done = events.onAsking();
    return answerElicitation(means.elicit, name, { params, signal: mcpReq.signal }).finally(done);
  });
  client.setNotificationHandler('notifications/tools/list_changed', events.onToolsChanged);
  client.setNotificationHandler('notifications/prompts/list_changed', events.onPromptsChanged);
  Object.assign(client, { onclose: events.onClose });
  if (server.kind === 'stdio') {
    const transport = createStdioTransport(server, means.launch, sdk.deserializeMessage);
    return { ...connecting(client, () => transport, events), signIn: noSignIn, lastWords: transport.lastWords };
  }
  if (server.kind === 'host') {
    const transport = createHostTransport(server, sdk.deserializeMessage);
    return { ...connecting(client, () => transport, events), signIn: noSignIn, lastWords: transport.lastWords };
  }
  const fetch = boundedFetch(answeringStart((url, init) => globalThis.fetch(url, init)));
  const headers = { ...server.headers, ...(await helperHeaders(definition, server, means)) };
  const signIn = await openSignIn(name, { ...server, headers }, { ...means, fetch });
  const made: { transport?: HttpTransport } = {};
  const { connect, close } = connecting(
    client,
    () => (made.transport = httpTransport(sdk, { ...server, headers }, { signIn, fetch })),
    events,
  );
  return {
    client,
    connect,
    lastWords: () => '',
    signIn: async () => made.transport?.finishAuth(await signIn.answer()),
    close: async () => {
      signIn.close();
      if (made.transport !== undefined && 'terminateSession' in made.transport)
        await within(GOODBYE_MS, made.transport.terminateSession());
      await close();
    },
  };
}

/** What is accepted without an answer is waited for until the start's deadline: of the first request an answer is due. */
function answeringStart(fetch: FetchLike): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    const isStart = typeof init?.body === 'string' && init.body.includes('"method":"initialize"');
    if (!isStart || (response.status !== 202 && response.status !== 204)) return response;
    throw new Error(`it answered ${response.status} to initialize, without the answer that must follow`);
  };
}

async function helperHeaders(
  definition: McpServerDefinition,
  { headersHelper }: McpHttpServer,
  { runHelper }: McpMeans,
): Promise<Readonly<Record<string, string>>> {
  if (headersHelper === undefined) return {};
  if (runHelper === undefined) throw new Error('its headersHelper is not run here');
  const said = readHeaders(await runHelper(headersHelper, definition));
  if (said === null) throw new Error(`its headersHelper (${headersHelper}) did not print a JSON object of texts`);
  return said;
}

function readHeaders(text: string): Readonly<Record<string, string>> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return null;
    const pairs = Object.entries(value).flatMap(([name, one]) =>
      typeof one === 'string' ? [[name, one] as const] : [],
    );
    return pairs.length === Object.keys(value).length ? Object.fromEntries(pairs) : null;
  } catch {
    return null;
  }
}

/** For one list; a server that never ends it runs into the deadline of the start. */
const MAX_PAGES = 10_000;

/** How long closing the session at a server may take. */
const GOODBYE_MS = 1_000;

type Sdk = typeof Library;

type HttpTransport = InstanceType<Sdk['StreamableHTTPClientTransport']> | InstanceType<Sdk['SSEClientTransport']>;

/** Redirects stay at the server's own origin, so that no header and no body goes anywhere else. */
function httpTransport(
  sdk: Sdk,
  { kind, url, headers, oauth }: McpHttpServer,
  { signIn, fetch }: { readonly signIn: SignIn; readonly fetch: ReturnType<typeof boundedFetch> },
): HttpTransport {
  const Kind = kind === 'sse' ? sdk.SSEClientTransport : sdk.StreamableHTTPClientTransport;
  const skipIssuerMetadataValidation = oauth?.isIssuerUnchecked === true;
  const auth = signIn.provider === null ? {} : { authProvider: signIn.provider, skipIssuerMetadataValidation };
  return new Kind(new URL(url), {
    requestInit: { headers: { ...headers } },
    fetch,
    redirectPolicy: 'same-origin',
    ...auth,
  });
}

function connecting(
  client: Client,
  transport: () => Transport,
  { onLeftOut }: ClientEvents,
): Pick<PreparedClient, 'client' | 'connect' | 'close'> {
  let used: Transport | null = null;
  return {
    client,
    connect: ({ signal, timeoutMs }) =>
      client.connect((used = withSoundAnswers(transport(), onLeftOut)), { signal, timeout: timeoutMs }),
    close: async () => {
      await client.close().catch(() => undefined);
      await used?.close().catch(() => undefined);
    },
  };
}

function noSignIn(): Promise<void> {
  return Promise.reject(new Error('a program has nothing to sign in to'));
}

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => void (timer = setTimeout(resolve, ms)));
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}
