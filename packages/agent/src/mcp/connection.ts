import type { Client, Prompt, Tool } from '@modelcontextprotocol/client';
import type { McpServerDefinition } from './definition.ts';
import { failed, failureOf, messageOf, type McpFailure, type McpOutcome, statusOf } from './failure.ts';
import { type McpMeans, prepareClient, type PreparedClient } from './open-client.ts';
import { createSilence, type Silence } from './silence.ts';

export type ServerState = 'off' | 'starting' | 'on' | 'failed' | 'closed';

/** What a server offers, as it said last. */
export type Offered = {
  readonly tools: ReadonlyArray<Tool>;
  readonly hasResources: boolean;
  readonly hasPrompts: boolean;
};

export type Asking = {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: (text: string) => void;
};

export type AskOptions = {
  readonly signal: AbortSignal;
  readonly timeout: number;
  readonly onprogress: (progress: Progress) => void;
};

type Progress = {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
};

/**
 * One server over its lives. It is started by the first thing that is asked of it; when it died, by the next one, later and later
 * after each failure. Whatever it does, an answer comes: its own, or why there is none.
 */
export type Connection = {
  readonly definition: McpServerDefinition;
  readonly state: () => ServerState;
  readonly problem: () => McpFailure | null;
  readonly offered: () => Offered | null;
  readonly prompts: () => Promise<McpOutcome<ReadonlyArray<Prompt>>>;
  readonly start: () => Promise<McpOutcome<void>>;
  readonly ask: <Value>(
    question: (client: Client, options: AskOptions) => Promise<Value>,
    asking?: Asking,
  ) => Promise<McpOutcome<Value>>;
  readonly close: () => Promise<void>;
};

export type ConnectionOptions = {
  readonly means: McpMeans;
  readonly now: () => number;
  /** What it offered in an earlier session, if that is known. */
  readonly known: Offered | null;
  readonly onOffered: (offered: Offered) => void;
};

const STARTUP_MS = 30_000;
const SILENCE_MS = 120_000;
const TOTAL_MS = 600_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** Our own deadlines decide: the library's never come first. */
const NEVER_MS = 2 ** 31 - 1;

export function createConnection(definition: McpServerDefinition, options: ConnectionOptions): Connection {
  const life: Life = {
    definition,
    options,
    current: null,
    starting: null,
    offered: options.known,
    prompts: null,
    problem: null,
    failures: 0,
    retryAt: 0,
    isClosed: false,
    listening: new Set(),
  };
  return {
    definition,
    state: () => stateOf(life),
    problem: () => life.problem,
    offered: () => life.offered,
    start: async () => {
      const live = await connected(life);
      return live.ok ? { ok: true, value: undefined } : live;
    },
    prompts: () => promptsOf(life),
    ask: (question, asking = {}) => ask(life, question, asking),
    close: async () => {
      life.isClosed = true;
      const { current } = life;
      life.current = null;
      await current?.close();
      await life.starting;
    },
  };
}

type Life = {
  readonly definition: McpServerDefinition;
  readonly options: ConnectionOptions;
  current: PreparedClient | null;
  starting: Promise<McpOutcome<PreparedClient>> | null;
  offered: Offered | null;
  prompts: ReadonlyArray<Prompt> | null;
  problem: McpFailure | null;
  failures: number;
  retryAt: number;
  isClosed: boolean;
  /** The questions that are open. */
  readonly listening: Set<Silence>;
};

function stateOf({ isClosed, current, starting, problem }: Life): ServerState {
  if (isClosed) return 'closed';
  if (current !== null) return 'on';
  if (starting !== null) return 'starting';
  return problem === null ? 'off' : 'failed';
}

function connected(life: Life): Promise<McpOutcome<PreparedClient>> | McpOutcome<PreparedClient> {
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

/** Starts it, signs in where it wants that, and asks what it offers. */
async function begin(life: Life): Promise<McpOutcome<PreparedClient>> {
  const { definition } = life;
  const silence = createSilence(definition.startupTimeoutMs ?? STARTUP_MS, TOTAL_MS);
  let prepared: PreparedClient | null = null;
  try {
    prepared = await openOnce(life, silence);
    life.offered = await within(silence, offeredBy(prepared.client));
    life.options.onOffered(life.offered);
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

/** Connects; where the server wants a sign-in and a person gives it, connects once more. */
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
      return prepared;
    } catch (error) {
      const mayRetry = attempt < MAX_SIGN_INS && isUnauthorised(error) && !silence.signal.aborted;
      const release = silence.hold();
      const isSignedIn = mayRetry && (await signedIn(prepared));
      release();
      const words = prepared.lastWords();
      await prepared.close();
      if (!isSignedIn) throw new StartError(error, words === '' ? prepared.lastWords() : words);
    }
  }
}

/** A server may want more than it said at first. */
const MAX_SIGN_INS = 3;

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

function eventsOf(life: Life, own: () => PreparedClient) {
  return {
    onClose: () => {
      if (life.current === null || life.current !== own()) return;
      const words = life.current.lastWords();
      life.current = null;
      void noted(life, failed('died', `The MCP server ${life.definition.name} ended.${saying(words)}`));
    },
    onToolsChanged: () => void refresh(life, own()),
    onPromptsChanged: () => void (life.prompts = null),
    onAsking: () => {
      const releases = [...life.listening].map((silence) => silence.hold());
      return () => releases.forEach((release) => release());
    },
  };
}

async function refresh(life: Life, { client }: PreparedClient): Promise<void> {
  try {
    life.offered = await offeredBy(client);
    life.options.onOffered(life.offered);
  } catch {
    // It died over it: the next call tells.
  }
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

async function signedIn(prepared: PreparedClient): Promise<boolean> {
  try {
    await prepared.signIn();
    return true;
  } catch {
    return false;
  }
}

function isUnauthorised(error: unknown): boolean {
  return error instanceof Error && error.name === 'UnauthorizedError';
}

type StartProblem = { readonly error: unknown; readonly words: string; readonly isLate: boolean };

function startFailure({ definition }: Life, { error, words, isLate }: StartProblem): ReturnType<typeof failed> {
  const { name, startupTimeoutMs = STARTUP_MS } = definition;
  if (isLate)
    return failed(
      'start_timeout',
      `The MCP server ${name} was not ready after ${startupTimeoutMs} ms.${saying(words)}`,
    );
  const failure = failureOf(name, error);
  if (failure.error.code === 'unauthorised') return failure;
  return failed('start_failed', `The MCP server ${name} did not start: ${messageOf(error)}.${saying(words)}`);
}

function saying(words: string): string {
  return words === '' ? '' : ` It said: ${words.slice(-500)}`;
}

/** The first death may be an accident: it is started again at once. After that each wait is twice as long. */
function noted<Failure extends { readonly ok: false; readonly error: McpFailure }>(
  life: Life,
  failure: Failure,
): Failure {
  life.problem = failure.error;
  life.failures += 1;
  const isAccident = failure.error.code === 'died' && life.failures === 1;
  const waitMs = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (life.failures - 1));
  life.retryAt = life.options.now() + (isAccident ? 0 : waitMs);
  return failure;
}

async function promptsOf(life: Life): Promise<McpOutcome<ReadonlyArray<Prompt>>> {
  if (life.prompts !== null && life.current !== null) return { ok: true, value: life.prompts };
  const asked = await ask(life, async (client, { signal, timeout }) => client.listPrompts({}, { signal, timeout }), {});
  if (!asked.ok) return asked;
  life.prompts = asked.value.prompts;
  return { ok: true, value: life.prompts };
}

type Question<Value> = (client: Client, options: AskOptions) => Promise<Value>;

/** Asks once; a second time only where the server surely did nothing yet: it wanted a sign-in, or had forgotten the session. */
async function ask<Value>(life: Life, question: Question<Value>, asking: Asking): Promise<McpOutcome<Value>> {
  for (let attempt = 0; ; attempt++) {
    const live = await connected(life);
    if (!live.ok) return live;
    const asked = await askOnce(life, { live: live.value, question, asking });
    if (asked.ok) return asked;
    if (attempt > 0 || !(await mayAskAgain(life, live.value, asked.thrown))) return asked.outcome;
  }
}

async function mayAskAgain(life: Life, live: PreparedClient, thrown: unknown): Promise<boolean> {
  if (isUnauthorised(thrown)) return signedIn(live);
  if (statusOf(thrown) !== 404) return false;
  if (life.current === live) life.current = null;
  await live.close();
  return true;
}

type Asked<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly outcome: ReturnType<typeof failed>; readonly thrown: unknown };

type Ask<Value> = { readonly live: PreparedClient; readonly question: Question<Value>; readonly asking: Asking };

async function askOnce<Value>(life: Life, { live, question, asking }: Ask<Value>): Promise<Asked<Value>> {
  const { name, callTimeoutMs = SILENCE_MS } = life.definition;
  const silence = createSilence(callTimeoutMs, Math.max(TOTAL_MS, callTimeoutMs), asking.signal);
  life.listening.add(silence);
  try {
    const options: AskOptions = {
      signal: silence.signal,
      timeout: NEVER_MS,
      onprogress: (progress) => {
        silence.heard();
        asking.onProgress?.(progressLine(progress));
      },
    };
    const value = await within(silence, question(live.client, options));
    life.failures = 0;
    return { ok: true, value };
  } catch (thrown) {
    if (asking.signal?.aborted === true)
      return { ok: false, thrown, outcome: failed('cancelled', `The call to the MCP server ${name} was cancelled.`) };
    if (silence.signal.aborted)
      return {
        ok: false,
        thrown,
        outcome: failed(
          'timeout',
          `The MCP server ${name} was silent for ${callTimeoutMs} ms; the call was cancelled.`,
        ),
      };
    const outcome = failureOf(name, thrown);
    return { ok: false, thrown, outcome: outcome.error.code === 'died' ? died(life, live, outcome) : outcome };
  } finally {
    life.listening.delete(silence);
    silence.end();
  }
}

/** The end of a program is told with its last words; of an address nobody tells us that it is gone. */
function died(life: Life, live: PreparedClient, outcome: ReturnType<typeof failed>): ReturnType<typeof failed> {
  if (life.current === live) {
    life.current = null;
    void live.close();
    return noted(life, outcome);
  }
  return life.problem === null ? outcome : { ok: false, error: life.problem };
}

function progressLine({ progress, total, message }: Progress): string {
  const count = total === undefined ? String(progress) : `${progress}/${total}`;
  return message === undefined || message === '' ? `${count}\n` : `${count} ${message}\n`;
}

/** Whatever the library does with the signal, nobody waits longer. */
function within<Value>({ signal }: Silence, work: Promise<Value>): Promise<Value> {
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  return Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', onAbort));
}
