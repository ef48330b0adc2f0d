import { failed } from '@attractor/base';
import { type Client, collect, type Message, type Request, type StreamEvent } from '@attractor/llm';
import { checkResponse } from './check-response.ts';
import { lowerAnswer, lowerLimit, lowerOwnCall, lowerProgress, messageIn, resultsIn } from './lower-reply.ts';
import type {
  OwnReply,
  ProgressEvent,
  Provider,
  ProviderError,
  ProviderHost,
  ProviderResult,
  Response,
  Session,
  ToolCall,
  ToolResult,
} from './provider.ts';
import { createQueue, type Queue } from './queue.ts';

/**
 * A provider as the client of a session. Each request of the session is answered with the provider's next response. If the provider
 * asks its host to run a tool meanwhile, that call is the reply, and the next request hands its result to the provider, which goes on.
 */
export type ProviderClient = Client & {
  /** The client's part of the provider's host. Its signal aborts with the given one, and with `close`. */
  readonly host: Pick<ProviderHost, 'onProgress' | 'runTool' | 'signal'>;
  /** Must be called before the first request. */
  readonly connect: (connection: Connection) => void;
  /** Starts a new message, or one that an earlier process left open. Responses are counted from here on. */
  readonly begin: (how: 'said' | 'resumed') => void;
  readonly heard: () => Heard;
  /** Whether the session is running a call that the provider made in a process that died: nobody waits for its result. */
  readonly isOrphaned: () => boolean;
};

export type Connection = {
  readonly provider: Provider;
  readonly session: Session;
  /** How many responses one message may take. */
  readonly limit: number;
};

/** The outcome of the current message so far. */
export type Heard = {
  /** How many responses were asked for. */
  readonly turns: number;
  readonly last: Response | null;
  readonly failure: ProviderError | null;
  readonly isLimited: boolean;
};

/** What a provider sends while it works on a response. */
type Said =
  | { readonly kind: 'progress'; readonly event: ProgressEvent }
  | { readonly kind: 'answer'; readonly answer: ProviderResult<Response> }
  | OwnCall;

type OwnCall = {
  readonly kind: 'call';
  readonly call: ToolCall;
  readonly reply: OwnReply;
  readonly resolve: (result: ToolResult) => void;
};

type Talk = {
  readonly said: Queue<Said>;
  connection: Connection | null;
  /** The provider's own call that the session is running. */
  own: OwnCall | null;
  working: Promise<void>;
  isResumed: boolean;
  heard: Heard;
};

const NOTHING_HEARD: Heard = { turns: 0, last: null, failure: null, isLimited: false };

export function createProviderClient(signal: AbortSignal): ProviderClient {
  const talk: Talk = {
    said: createQueue(),
    connection: null,
    own: null,
    working: Promise.resolve(),
    isResumed: false,
    heard: NOTHING_HEARD,
  };
  const closing = new AbortController();
  const stream = (request: Request): AsyncIterable<StreamEvent> => reply(talk, request);
  return {
    stream,
    complete: (request) => collect(stream(request)),
    provider: async () => ({ id: talk.connection?.session.provider ?? '', stream }),
    close: async () => {
      closing.abort();
      await talk.working;
      await talk.connection?.provider.close?.();
    },
    host: hostOf(talk, AbortSignal.any([signal, closing.signal])),
    connect: (connection) => {
      talk.connection = connection;
    },
    begin: (how) => {
      talk.isResumed = how === 'resumed';
      talk.heard = NOTHING_HEARD;
    },
    heard: () => talk.heard,
    isOrphaned: () => talk.own === null && talk.connection?.provider.continueSession !== undefined,
  };
}

function hostOf(talk: Talk, signal: AbortSignal): ProviderClient['host'] {
  const stopped = new Promise<string>((resolve) => {
    const stop = (): void => resolve('Not run: the work was stopped before.');
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
  return {
    signal,
    onProgress: (event) => talk.said.put({ kind: 'progress', event }),
    runTool: (call, own) => {
      const { promise, resolve } = Promise.withResolvers<ToolResult>();
      const refuse = (output: string): ToolResult => ({ toolCallId: call.id, output, isError: true });
      if (talk.connection === null) return Promise.resolve(refuse('There is no conversation yet.'));
      talk.said.put({ kind: 'call', call, reply: own, resolve });
      return Promise.race([promise, stopped.then(refuse)]);
    },
  };
}

async function* reply(talk: Talk, { messages }: Request): AsyncGenerator<StreamEvent> {
  const { connection, own, heard } = talk;
  if (connection === null) throw new Error('The client was asked before it had a provider.');
  const { provider } = connection.session;
  talk.own = null;
  if (own !== null) own.resolve({ ...NO_RESULT, ...resultsIn(messages)[0], toolCallId: own.call.id });
  else if (heard.turns > 0 && heard.turns >= connection.limit) {
    talk.heard = { ...heard, isLimited: true };
    return yield lowerLimit(provider);
  } else talk.working = work(talk, connection, messages);
  for (;;) {
    const said = await talk.said.next();
    if (said.kind === 'answer') return yield lowerAnswer(said.answer, provider);
    if (said.kind === 'progress') yield* lowerProgress(said.event);
    else {
      talk.own = said;
      return yield lowerOwnCall(said.call, said.reply, provider);
    }
  }
}

const NO_RESULT = { output: 'The call has no result.', isError: true };

/** Runs one operation of the provider and queues its response. */
async function work(talk: Talk, connection: Connection, messages: ReadonlyArray<Message>): Promise<void> {
  const { provider, session } = connection;
  const { heard, isResumed } = talk;
  talk.heard = { ...heard, turns: heard.turns + 1 };
  talk.isResumed = false;
  const operation = async (): Promise<ProviderResult<Response>> => {
    if (isResumed && provider.continueSession !== undefined)
      return provider.continueSession(session, messageIn(messages));
    const results = resultsIn(messages);
    if (results.length === 0) return provider.sendMessage(session, messageIn(messages));
    return provider.submitToolResults(session, underGivenIds(results, heard.last));
  };
  const answer = await operation().then(checkResponse).catch(threw);
  talk.heard = { ...talk.heard, ...(answer.ok ? { last: answer.value } : { failure: answer.error }) };
  talk.said.put({ kind: 'answer', answer });
}

/** The session replaces an id that was used before; the provider gets its own ids back. */
function underGivenIds(results: ReadonlyArray<ToolResult>, last: Response | null): ReadonlyArray<ToolResult> {
  return results.map((result, index) => ({ ...result, toolCallId: last?.toolCalls[index]?.id ?? result.toolCallId }));
}

/** Providers must not throw; if one does, the caller still gets a value. */
function threw(error: unknown): ProviderResult<Response> {
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = 'The provider broke while it answered. The details are in the journal of the session.';
  return failed({ code: 'InvalidResponseError', message, retryable: false, detail });
}
