import type { Client } from '@modelcontextprotocol/client';
import { failed, failureOf, messageWithCause, type McpOutcome } from './failure.ts';
import { type ClientEvents, prepareClient, type PreparedClient } from './open-client.ts';
import { type Life, NEVER_MS, noted, type Offered, saying, TOTAL_MS, within } from './server-life.ts';
import { createSilence, type Silence } from './silence.ts';

const STARTUP_MS = 30_000;

/** The open connection, or a new one; after failures not before the next retry is due. */
export function connected(life: Life): Promise<McpOutcome<PreparedClient>> | McpOutcome<PreparedClient> {
  const { name } = life.definition;
  if (life.isClosed) return failed('closed', `The MCP server ${name} was closed with its session.`);
  if (life.current !== null) return { ok: true, value: life.current };
  const waitMs = life.retryAt - life.options.now();
  if (life.starting === null && waitMs > 0 && life.problem !== null) {
    const when = `It is tried again in ${Math.ceil(waitMs / 1000)} s.`;
    return failed('waiting', `The MCP server ${name} is not there. ${when} Last: ${life.problem.message}`);
  }
  life.starting ??= begin(life).finally(() => (life.starting = null));
  return life.starting;
}

/** Starts it, signs in if required, and asks what it offers. */
async function begin(life: Life): Promise<McpOutcome<PreparedClient>> {
  const { definition } = life;
  const silence = createSilence(definition.startupTimeoutMs ?? STARTUP_MS, TOTAL_MS, life.stopper.signal);
  let prepared: PreparedClient | null = null;
  try {
    prepared = await openOnce(life, silence);
    if (life.isClosed) throw new Error('closed meanwhile');
    life.current = prepared;
    life.problem = null;
    return { ok: true, value: prepared };
  } catch (error) {
    const words = prepared?.lastWords() ?? lastWordsOf(error);
    void prepared?.close();
    return noted(life, startFailure(life, { error: causeOf(error), words, isLate: silence.signal.aborted }));
  } finally {
    silence.end();
  }
}

/** Connects and asks what is offered; if the server requires a sign-in for either and a person signs in, tries once more. */
async function openOnce(life: Life, silence: Silence): Promise<PreparedClient> {
  for (let attempt = 0; ; attempt++) {
    const prepared = await prepareClient(
      life.definition,
      life.options.means,
      eventsOf(life, () => prepared),
    );
    try {
      const options = { signal: silence.signal, timeoutMs: NEVER_MS };
      await within(silence, prepared.connect(options));
      life.offered = await within(silence, offeredBy(prepared.client));
      life.options.onOffered(life.offered);
      return prepared;
    } catch (error) {
      const mayRetry = attempt < MAX_SIGN_INS && isUnauthorised(error) && !silence.signal.aborted;
      const release = silence.hold();
      const isSignedIn = mayRetry && (await signedIn(prepared, silence.signal));
      release();
      const words = prepared.lastWords();
      await prepared.close();
      if (!isSignedIn) throw new StartError(error, words === '' ? prepared.lastWords() : words);
    }
  }
}

/** A server may require more than it said at first: once. */
const MAX_SIGN_INS = 2;

class StartError extends Error {
  readonly words: string;

  constructor(cause: unknown, words: string) {
    super('not started', { cause });
    this.words = words;
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof StartError ? error.cause : error;
}

function lastWordsOf(error: unknown): string {
  return error instanceof StartError ? error.words : '';
}

function eventsOf(life: Life, own: () => PreparedClient): ClientEvents {
  return {
    onClose: () => {
      if (life.current === null || life.current !== own()) return;
      const words = life.current.lastWords();
      life.current = null;
      void noted(life, failed('died', `The MCP server ${life.definition.name} ended.${saying(words)}`));
    },
    onToolsChanged: () => void refresh(life, own()),
    onPromptsChanged: () => void (life.prompts = null),
    onLeftOut: (text) => void life.notes.add(`The MCP server ${life.definition.name}: ${text}.`),
    onAsking: () => {
      const releases = [...life.listening].map((silence) => silence.hold());
      return () => releases.forEach((release) => release());
    },
  };
}

/** One at a time: further notifications are handled after the last answer has arrived. */
async function refresh(life: Life, { client }: PreparedClient): Promise<void> {
  const isRunning = life.refreshing !== 'idle';
  life.refreshing = isRunning ? 'again' : 'running';
  if (isRunning) return;
  try {
    do {
      life.refreshing = 'running';
      life.offered = await offeredBy(client);
      life.options.onOffered(life.offered);
    } while (isAskedAgain(life));
  } catch {
    // The server died during this: the next call reports it.
  }
  life.refreshing = 'idle';
}

function isAskedAgain({ refreshing }: Life): boolean {
  return refreshing === 'again';
}

async function offeredBy(client: Client): Promise<Offered> {
  const capabilities = client.getServerCapabilities();
  const { tools } =
    capabilities?.tools === undefined ? { tools: [] } : await client.listTools({}, { timeout: NEVER_MS });
  return {
    tools,
    hasResources: capabilities?.resources !== undefined,
    hasPrompts: capabilities?.prompts !== undefined,
  };
}

export function signedIn(prepared: PreparedClient, signal: AbortSignal): Promise<boolean> {
  return within({ signal }, prepared.signIn()).then(
    () => true,
    () => false,
  );
}

export function isUnauthorised(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnauthorizedError';
}

type StartProblem = { readonly error: unknown; readonly words: string; readonly isLate: boolean };

function startFailure(
  { definition, options }: Life,
  { error, words, isLate }: StartProblem,
): ReturnType<typeof failed> {
  const { name, startupTimeoutMs = STARTUP_MS } = definition;
  const why = options.means.launch.sandbox === undefined || definition.transport.kind !== 'stdio' ? '' : CONFINED;
  if (isLate)
    return failed(
      'start_timeout',
      `The MCP server ${name} was not ready after ${startupTimeoutMs} ms.${saying(words)}${why}`,
    );
  const failure = failureOf(name, error);
  if (failure.error.code === 'unauthorised') return failure;
  return failed(
    'start_failed',
    `The MCP server ${name} did not start: ${messageWithCause(error).replace(/[.]$/, '')}.${saying(words)}${why}`,
  );
}

const CONFINED =
  ' It runs in the sandbox, as a server of the repository: hosts that it needs go to `sandbox.network.allowedDomains` of your settings. A server of your own settings, outside the repository, runs as you.';
