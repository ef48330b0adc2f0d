import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { accumulate, contentOf, NOTHING_YET, type Accumulated } from '../accumulate.ts';
import { abortError, toLlmError, type FailureContext } from '../errors/provider-error.ts';
import { validHistory } from '../history/valid-history.ts';
import { borrowLightHeaders } from '../http/headers-loan.ts';
import type { Transport } from '../http/transport.ts';
import type { ContentPart } from '../types/content.ts';
import { LlmError } from '../types/error.ts';
import type { ModelProvider } from '../types/provider.ts';
import type { Request } from '../types/request.ts';
import type { FinishReason, RateLimitInfo, Response, Warning } from '../types/response.ts';
import type { StreamEvent } from '../types/stream.ts';
import { NO_USAGE, type Usage } from '../types/usage.ts';
import type { Credential } from './credential.ts';
import { liftRateLimit } from './lift-end.ts';
import { BEFORE_FIRST_PART, liftPart, type LiftContext, type LiftState } from './lift.ts';
import type { Protocol } from './protocol.ts';
import { wireToolNames } from './tool-names.ts';

export type ServiceSettings = {
  readonly id: string;
  readonly protocol: Protocol;
  readonly baseUrl: string;
  readonly credential: Credential;
  readonly keyVariable?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly toolChoices?: ReadonlyArray<string>;
  readonly transport: Transport;
};

/** One service as a `ModelProvider`: one exchange per stream, every failure its last event. */
export function createModelProvider(settings: ServiceSettings): ModelProvider {
  return {
    id: settings.id,
    stream: (request) => streamExchange(settings, request),
    ...(settings.credential.refresh === undefined ? {} : { refreshCredential: settings.credential.refresh }),
  };
}

async function* streamExchange(settings: ServiceSettings, request: Request): AsyncGenerator<StreamEvent> {
  const link = linkSignal(request.abortSignal);
  const apiKey = settings.credential.current();
  const failure: FailureContext = {
    provider: settings.id,
    model: request.model,
    secrets: apiKey === undefined ? [] : [apiKey],
    signal: link.signal,
    ...(settings.keyVariable === undefined ? {} : { keyVariable: settings.keyVariable }),
  };
  const progress: Progress = {
    settings,
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
    yield* failed(toLlmError(error, failure), progress);
  } finally {
    link.release();
  }
}

/** What is known of an answer while it arrives; owned by one exchange. */
type Progress = {
  readonly settings: ServiceSettings;
  readonly request: Request;
  content: Accumulated;
  lift: LiftState;
  warnings: ReadonlyArray<Warning>;
  rateLimit: RateLimitInfo | undefined;
};

type Opened = { readonly stream: ReadableStream<LanguageModelV4StreamPart>; readonly context: LiftContext };

type Opening = {
  readonly settings: ServiceSettings;
  readonly request: Request;
  readonly signal: AbortSignal;
  readonly progress: Progress;
};

async function openStream({ settings, request, signal, progress }: Opening): Promise<Opened> {
  const { protocol, transport } = settings;
  refuseToolChoice(settings, request);
  const names = wireToolNames(request);
  const origin = originOf(settings, request);
  const history = validHistory(request.messages, { ...protocol.rules, origin });
  const lowered = protocol.lower({ service: settings.id, request, messages: history.messages, wireName: names.toWire });
  progress.warnings = [...history.warnings, ...(lowered.warnings ?? [])];
  const send = transport.fetch(
    request.timeouts?.connect === undefined ? {} : { connectTimeoutMs: request.timeouts.connect },
  );
  const giveBack = borrowLightHeaders();
  const endpoint = {
    baseUrl: settings.baseUrl.replace(/\/+$/, ''),
    apiKey: settings.credential.current() ?? '',
    headers: settings.headers ?? {},
    fetch: ((input, init) => {
      giveBack();
      return send(input, init);
    }) satisfies typeof globalThis.fetch,
  };
  try {
    const model = await protocol.load(endpoint, settings.id);
    const result = await model(request.model).doStream({ ...lowered.call, abortSignal: signal });
    progress.rateLimit = liftRateLimit(result.response?.headers);
    return { stream: result.stream, context: { proofOf: protocol.proofOf, toolNames: names.fromWire, newCallId } };
  } finally {
    giveBack();
  }
}

/** A service that ignores a demanded tool would answer with text; better to say so than to hope. */
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
    yield finished(progress);
    drained = drained || drainInBackground(reader);
  } finally {
    if (!drained) await reader.cancel().catch(() => undefined);
  }
}

/** Reading on to the end of the body gives the socket back to the pool; a server that dawdles loses it. */
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

function finished(progress: Progress): StreamEvent {
  const { end } = progress.lift;
  if (end === undefined) {
    throw new LlmError({
      code: 'stream',
      message: `${progress.settings.id}: the answer broke off before its end. Ask again.`,
      retryable: true,
      provider: progress.settings.id,
    });
  }
  const response = responseOf(progress, end);
  return { kind: 'FINISH', finishReason: response.finishReason, usage: response.usage, response };
}

function* failed(error: LlmError, progress: Progress): Generator<StreamEvent> {
  if (!progress.lift.started) yield { kind: 'STREAM_START' };
  const partial = responseOf(progress, { finishReason: { reason: 'error', raw: '' }, usage: NO_USAGE });
  yield { kind: 'ERROR', error, ...(partial.message.content.length === 0 ? {} : { partial }) };
}

function responseOf(progress: Progress, end: { readonly finishReason: FinishReason; readonly usage: Usage }): Response {
  const { lift, settings, request } = progress;
  const content = markCutOff(contentOf(progress.content, originOf(settings, request)), end.finishReason, lift);
  return {
    id: lift.responseId ?? '',
    model: lift.model ?? request.model,
    provider: settings.id,
    message: { role: 'assistant', content },
    finishReason: settleReason(end.finishReason, content),
    usage: withReasoning(end.usage, content),
    warnings: lift.warnings,
    ...(progress.rateLimit === undefined ? {} : { rateLimit: progress.rateLimit }),
  };
}

/** Cut at the token limit, a last call without any argument text was never finished; a complete object was. */
function markCutOff(
  content: ReadonlyArray<ContentPart>,
  finish: FinishReason,
  lift: LiftState,
): ReadonlyArray<ContentPart> {
  const last = content.at(-1);
  if (finish.reason !== 'length' || last?.kind !== 'TOOL_CALL' || lift.argsSeen) return content;
  const argsError =
    'The answer hit its token limit before the arguments were written. Call again with less text before it.';
  return content.with(content.length - 1, { ...last, args: {}, rawArgs: '', argsError });
}

/** Compatible services say "stop" after calls; what was called decides. */
function settleReason(finish: FinishReason, content: ReadonlyArray<ContentPart>): FinishReason {
  const called = content.some((part) => part.kind === 'TOOL_CALL');
  return finish.reason === 'stop' && called ? { ...finish, reason: 'tool_calls' } : finish;
}

/** Where a provider shows its thinking but does not count it, four characters are taken for a token. */
function withReasoning(usage: Usage, content: ReadonlyArray<ContentPart>): Usage {
  if (usage.reasoningTokens !== undefined) return usage;
  const length = content.reduce((sum, part) => sum + (part.kind === 'THINKING' ? part.text.length : 0), 0);
  return length === 0 ? usage : { ...usage, reasoningTokens: Math.min(usage.outputTokens, Math.ceil(length / 4)) };
}

function originOf(settings: ServiceSettings, request: Request): string {
  return `${settings.id}/${request.model}`;
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
