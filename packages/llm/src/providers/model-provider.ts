import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { defined } from '@attractor/base';
import { accumulate, NOTHING_YET } from '../accumulate.ts';
import { cloudSecrets, type CloudSettings } from '../clouds/cloud-settings.ts';
import { abortError, toLlmError, type FailureContext } from '../errors/provider-error.ts';
import { validHistory } from '../history/valid-history.ts';
import { fairTurn } from '../http/fair-turn.ts';
import type { Transport } from '../http/transport.ts';
import { LlmError } from '../types/error.ts';
import type { ModelProvider } from '../types/provider.ts';
import type { Request } from '../types/request.ts';
import type { StreamEvent } from '../types/stream.ts';
import { failed, finished, originOf, type Progress } from './answer.ts';
import type { Credential } from './credential.ts';
import { growingBody } from './growing-body.ts';
import { liftRateLimit } from './lift-end.ts';
import { eventsOnly } from './events-only.ts';
import { BEFORE_FIRST_PART, liftPart, openEnds, type LiftContext } from './lift.ts';
import type { Lowered, Protocol } from './protocol.ts';
import { wireToolNames } from './tool-names.ts';

export type ServiceSettings = {
  readonly id: string;
  readonly protocol: Protocol;
  readonly baseUrl: string;
  readonly credential: Credential;
  /** The credential is a token and no key. */
  readonly isBearer?: boolean;
  readonly keyVariable?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cloud?: CloudSettings;
  readonly toolChoices?: ReadonlyArray<string>;
  readonly transport: Transport;
};

/** One service as a `ModelProvider`: one exchange per stream, every failure is its last event. */
export function createModelProvider(settings: ServiceSettings): ModelProvider {
  return {
    id: settings.id,
    stream: (request) => streamExchange(settings, request),
    ...defined({ refreshCredential: settings.credential.refresh }),
  };
}

async function* streamExchange(settings: ServiceSettings, request: Request): AsyncGenerator<StreamEvent> {
  const link = linkSignal(request.abortSignal);
  const failure: Omit<FailureContext, 'secrets'> = {
    provider: settings.id,
    model: request.model,
    signal: link.signal,
    ...defined({ keyVariable: settings.keyVariable }),
  };
  const progress: Progress = {
    service: settings.id,
    request,
    content: NOTHING_YET,
    lift: BEFORE_FIRST_PART,
    warnings: [],
    rateLimit: undefined,
  };
  try {
    if (link.signal.aborted) throw abortError(link.signal, settings.id);
    const opened = await openStream({ settings, request, signal: link.signal, progress });
    for await (const event of liftStream(opened, progress)) {
      if (event.kind === 'FINISH') link.keep();
      yield event;
    }
  } catch (error) {
    yield* failed(toLlmError(error, { ...failure, secrets: secretsOf(settings) }), progress);
  } finally {
    link.release();
  }
}

/** As they are now: a key may have been asked for meanwhile. */
function secretsOf({ credential, cloud = {} }: ServiceSettings): ReadonlyArray<string> {
  const key = credential.current();
  return [...(key === undefined ? [] : [key]), ...cloudSecrets(cloud)];
}

type Opened = { readonly stream: ReadableStream<LanguageModelV4StreamPart>; readonly context: LiftContext };

type Opening = {
  readonly settings: ServiceSettings;
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly progress: Progress;
};

async function openStream({ settings, request, signal, progress }: Opening): Promise<Opened> {
  const { protocol, transport } = settings;
  await fairTurn();
  refuseToolChoice(settings, request);
  const names = wireToolNames(request);
  const origin = originOf(settings.id, request);
  const history = validHistory(request.messages, { ...protocol.rules, origin });
  const growing = protocol.keepsBytes === true ? growingBody(history.messages, termsOf(origin, request)) : null;
  const lowered = protocol.lower({
    service: settings.id,
    request,
    history: history.messages,
    messages: growing?.messages ?? history.messages,
    wireName: names.toWire,
  });
  progress.warnings = [...history.warnings, ...(lowered.warnings ?? [])];
  const fetch = transport.fetch({
    ...defined({ connectTimeoutMs: request.timeouts?.connect }),
    ...(growing === null ? {} : { encode: growing.complete }),
  });
  const endpoint = {
    baseUrl: settings.baseUrl.replace(/\/+$/, ''),
    apiKey: (await settings.credential.obtain()) ?? '',
    isBearer: settings.isBearer === true,
    headers: settings.headers ?? {},
    cloud: settings.cloud ?? {},
    fetch: eventsOnly(fetch),
  };
  const model = await protocol.load(endpoint, settings.id);
  const call = withSearch(settings, request, lowered.call);
  const result = await model(request.model).doStream({ ...call, abortSignal: signal });
  progress.rateLimit = liftRateLimit(result.response?.headers);
  return { stream: result.stream, context: { ...protocol, toolNames: names.fromWire, newCallId } };
}

function withSearch({ id, protocol }: ServiceSettings, { webSearch }: Request, call: Lowered['call']): Lowered['call'] {
  if (webSearch === undefined) return call;
  if (protocol.searchTool !== undefined)
    return { ...call, tools: [...(call.tools ?? []), protocol.searchTool(webSearch)] };
  const message = `${id} has no web search of its own. Use another provider, or a search service.`;
  throw new LlmError({ code: 'invalid_request', message, retryable: false, provider: id });
}

/** Everything but the turns themselves that may change how turns are written. */
function termsOf(origin: string, { providerOptions, reasoningEffort, toolChoice, responseFormat }: Request): string {
  return JSON.stringify([origin, providerOptions, reasoningEffort, toolChoice, responseFormat]);
}

/** A service that ignores a forced tool would answer with text; better to refuse than to hope. */
function refuseToolChoice({ id, toolChoices }: ServiceSettings, { toolChoice }: Request): void {
  const mode = typeof toolChoice === 'object' ? 'named' : toolChoice;
  if (mode === undefined || toolChoices === undefined || toolChoices.includes(mode)) return;
  const message = `${id} does not support the tool choice "${mode}". Use ${toolChoices.join(' or ')}, or another provider.`;
  throw new LlmError({ code: 'unsupported_tool_choice', message, retryable: false, provider: id });
}

async function* liftStream(opened: Opened, progress: Progress): AsyncGenerator<StreamEvent> {
  const reader = opened.stream.getReader();
  let drained = false;
  progress.lift = { ...progress.lift, warnings: progress.warnings };
  try {
    for (;;) {
      const { done, value } = await reader.read();
      drained = done;
      if (done) break;
      const lifted = liftPart(progress.lift, value, opened.context);
      progress.lift = lifted.state;
      for (const event of lifted.events) {
        progress.content = accumulate(progress.content, event);
        yield event;
      }
      if (lifted.failure !== undefined) throw lifted.failure.error;
      if (lifted.state.end !== undefined) break;
    }
    const end = finished(progress);
    yield* openEnds(progress.lift);
    yield end;
    drained = drained || drainInBackground(reader);
  } finally {
    if (!drained) await reader.cancel().catch(() => undefined);
  }
}

/** Reading to the end of the body returns the socket to the pool; a slow server loses it. */
function drainInBackground(reader: ReadableStreamDefaultReader<unknown>): true {
  const timer = setTimeout(() => void reader.cancel().catch(() => undefined), 1000);
  timer.unref();
  const drain = async (): Promise<void> => {
    while (!(await reader.read()).done);
  };
  void drain()
    .catch(() => undefined)
    .finally(() => clearTimeout(timer));
  return true;
}

/** Follows the caller's signal; unless the answer was whole, leaving for any reason closes the connection. */
function linkSignal(outer: AbortSignal | undefined): {
  readonly signal: AbortSignal;
  readonly keep: () => void;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const forward = (): void => controller.abort(outer?.reason);
  if (outer?.aborted) forward();
  else outer?.addEventListener('abort', forward, { once: true });
  let kept = false;
  return {
    signal: controller.signal,
    keep: () => {
      kept = true;
    },
    release: () => {
      outer?.removeEventListener('abort', forward);
      if (!kept) controller.abort();
    },
  };
}

function newCallId(): string {
  return `call_${Math.random().toString(36).slice(2, 12)}${Math.random().toString(36).slice(2, 12)}`;
}
