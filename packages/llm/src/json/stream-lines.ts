import { wireErrorClass } from '../errors/wire-class.ts';
import {
  type StreamEvent,
  type Usage,
  type Response,
  responseReasoning,
  responseText,
  responseToolCalls,
} from '../types/index.ts';

/** A stream event as one line of JSON; the last is a response or an error. */
export function streamLine(event: StreamEvent): Readonly<Record<string, unknown>> {
  if (event.kind === 'FINISH') return responseLine(event.response);
  if (event.kind === 'ERROR') return errorLine(event);
  const { kind, ...fields } = event;
  return { type: kind.toLowerCase(), ...snakeKeys(fields) };
}

function responseLine(response: Response): Readonly<Record<string, unknown>> {
  return {
    type: 'response',
    id: response.id,
    model: response.model,
    text: responseText(response),
    reasoning: responseReasoning(response),
    tool_calls: responseToolCalls(response).map((call) => ({
      id: call.toolCallId,
      name: call.toolName,
      args: call.args,
    })),
    finish_reason: response.finishReason,
    usage: usageLine(response.usage),
  };
}

function usageLine(usage: Usage): Readonly<Record<string, number>> {
  return {
    input_tokens: usage.inputTokens,
    output_tokens: usage.outputTokens,
    cache_read_tokens: usage.cacheReadTokens ?? 0,
    cache_write_tokens: usage.cacheWriteTokens ?? 0,
    reasoning_tokens: usage.reasoningTokens ?? 0,
  };
}

function errorLine({ error }: Extract<StreamEvent, { kind: 'ERROR' }>): Readonly<Record<string, unknown>> {
  return {
    type: 'error',
    class: wireErrorClass(error),
    message: error.message,
    retryable: error.retryable,
    ...(error.status !== undefined && { status: error.status }),
    ...(error.retryAfterMs !== undefined && { retry_after_ms: error.retryAfterMs }),
  };
}

function snakeKeys(fields: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      value,
    ]),
  );
}
