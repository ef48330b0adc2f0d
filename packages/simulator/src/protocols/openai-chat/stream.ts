import { type Answer, type AnswerPart, splitDeltas } from '../../answer/answer.ts';
import { type JsonObject, objectOf } from '../../wire/json.ts';
import type { WireEvent } from '../../wire/sse.ts';
import type { ModelRequest } from '../../protocol.ts';
import { finishReason, head, usageOf } from './complete.ts';

export const DONE: WireEvent = { data: '[DONE]' };

export function stream(answer: Answer, request: ModelRequest): WireEvent[] {
  const calls = answer.parts.filter((part) => part.type === 'tool_call');
  const deltas = answer.parts.flatMap((part) =>
    partDeltas(
      part,
      calls.findIndex((call) => call === part),
      answer.deltaChars,
    ),
  );
  return [
    ...opening(answer, request),
    ...deltas.map((delta) => chunk(answer, request, { delta, output: true })),
    chunk(answer, request, { delta: {}, finish: finishReason(answer) }),
    ...usageChunk(answer, request),
    DONE,
  ];
}

export function opening(answer: Answer, request: ModelRequest): WireEvent[] {
  return [chunk(answer, request, { delta: { role: 'assistant', content: '', refusal: null } })];
}

/** Only a client that requests usage gets it, in a last chunk without choices. */
export function usageChunk(answer: Answer, request: ModelRequest): WireEvent[] {
  if (!includesUsage(request)) return [];
  return [{ data: JSON.stringify({ ...chunkHead(answer), choices: [], usage: usageOf(answer.usage) }) }];
}

function partDeltas(part: AnswerPart, index: number, size: number): JsonObject[] {
  if (part.type === 'tool_call') {
    const start = { index, id: part.id, type: 'function', function: { name: part.name, arguments: '' } };
    const pieces = splitDeltas(part.args, Math.max(size, Math.ceil(part.args.length / 1000)));
    return [
      { tool_calls: [start] },
      ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
    ];
  }
  const field = { text: 'content', refusal: 'refusal', thinking: 'reasoning_content' }[part.type];
  return splitDeltas(part.text, size).map((piece) => ({ [field]: piece }));
}

interface Change {
  delta: JsonObject;
  finish?: string;
  output?: boolean;
}

function chunk(answer: Answer, request: ModelRequest, { delta, finish, output }: Change): WireEvent {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish ?? null }];
  const usage = includesUsage(request) ? { usage: null } : {};
  return { data: JSON.stringify({ ...chunkHead(answer), choices, ...usage }), ...(output && { output }) };
}

function chunkHead(answer: Answer): JsonObject {
  return { ...head(answer), object: 'chat.completion.chunk' };
}

function includesUsage(request: ModelRequest): boolean {
  return objectOf(request.body['stream_options'])['include_usage'] === true;
}
