import type { Client } from '../../client.ts';
import type { ContentPart, ToolCallPart } from '../../types/content.ts';
import { LlmError } from '../../types/error.ts';
import type { Request } from '../../types/request.ts';
import type { FinishReason, Response } from '../../types/response.ts';
import type { StreamEvent } from '../../types/stream.ts';

/** What the model says next: parts of an answer, an error, or silence until the request is aborted. */
export type Turn =
  | { readonly parts: ReadonlyArray<ContentPart>; readonly reason?: FinishReason['reason']; readonly pieces?: number }
  | { readonly error: LlmError }
  | { readonly silence: true };

export type ScriptedClient = Client & { readonly requests: ReadonlyArray<Request> };

/** A client over a list of turns: the port of the generation loop, without a network. */
export function scriptedClient(turns: ReadonlyArray<Turn>, providerId = 'anthropic'): ScriptedClient {
  const requests: Request[] = [];
  const stream = (request: Request): AsyncIterable<StreamEvent> => {
    requests.push(request);
    const turn = turns[requests.length - 1];
    if (turn === undefined) throw new Error(`the script has no turn ${requests.length}`);
    return say(turn, { request, providerId, number: requests.length });
  };
  return {
    requests,
    stream,
    complete: () => Promise.reject(new Error('not part of this script')),
    provider: (id) => Promise.resolve({ id: id ?? providerId, stream }),
    close: () => Promise.resolve(),
  };
}

export function text(value: string): ContentPart {
  return { kind: 'TEXT', text: value };
}

export function call(toolCallId: string, toolName: string, args: Record<string, unknown> = {}): ToolCallPart {
  return { kind: 'TOOL_CALL', toolCallId, toolName, args };
}

type Answering = { readonly request: Request; readonly providerId: string; readonly number: number };

async function* say(turn: Turn, answering: Answering): AsyncGenerator<StreamEvent, void> {
  yield { kind: 'STREAM_START', responseId: `msg_${answering.number}` };
  if ('silence' in turn) {
    await aborted(answering.request.abortSignal);
    yield { kind: 'ERROR', error: new LlmError({ code: 'abort', message: 'aborted', retryable: false }) };
  } else if ('error' in turn) {
    yield { kind: 'ERROR', error: turn.error };
  } else {
    for (const [at, part] of turn.parts.entries()) yield* sayPart(part, `${at}`, turn.pieces ?? 2);
    yield finish(turn, answering);
  }
}

function* sayPart(part: ContentPart, id: string, pieces: number): Generator<StreamEvent, void> {
  if (part.kind === 'TEXT') {
    yield { kind: 'TEXT_START', id };
    for (const piece of cut(part.text, pieces)) yield { kind: 'TEXT_DELTA', id, text: piece };
    yield { kind: 'TEXT_END', id };
  } else if (part.kind === 'TOOL_CALL') {
    const { toolCallId, toolName } = part;
    yield { kind: 'TOOL_CALL_START', toolCallId, toolName };
    for (const argsDelta of cut(part.rawArgs ?? JSON.stringify(part.args), pieces)) {
      yield { kind: 'TOOL_CALL_DELTA', toolCallId, argsDelta };
    }
    yield { kind: 'TOOL_CALL_END', toolCallId, toolName, call: part };
  }
}

function cut(value: string, pieces: number): ReadonlyArray<string> {
  const size = Math.max(1, Math.ceil(value.length / pieces));
  return Array.from({ length: Math.ceil(value.length / size) }, (_, at) => value.slice(at * size, (at + 1) * size));
}

function finish(turn: Extract<Turn, { parts: unknown }>, { request, providerId, number }: Answering): StreamEvent {
  const calls = turn.parts.some((part) => part.kind === 'TOOL_CALL');
  const reason = turn.reason ?? (calls ? 'tool_calls' : 'stop');
  const response: Response = {
    id: `msg_${number}`,
    model: request.model,
    provider: request.provider ?? providerId,
    message: { role: 'assistant', content: turn.parts },
    finishReason: { reason, raw: reason },
    usage: { inputTokens: 10 * number, outputTokens: number, totalTokens: 11 * number },
    warnings: [],
  };
  return { kind: 'FINISH', finishReason: response.finishReason, usage: response.usage, response };
}

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal?.aborted) return;
  await new Promise<void>((resolve) => {
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}
