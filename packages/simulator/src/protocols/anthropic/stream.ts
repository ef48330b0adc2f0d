import { type Answer, type AnswerPart, splitDeltas } from '../../answer/answer.ts';
import { sealThinking, shortHash, signThinking } from '../../answer/signature.ts';
import type { WireEvent } from '../../wire/sse.ts';
import { messageHead, stopReason, usageOf } from './complete.ts';

export const PING: WireEvent = { event: 'ping', data: '{"type": "ping"}' };

export function stream(answer: Answer): WireEvent[] {
  const searched = searchBlocks(answer);
  const said = answer.parts.flatMap((part, index) => blockEvents(part, index + searched.length, answer));
  const blocks = [...searched.flatMap(wholeBlock), ...said];
  const usage = usageOf(answer.usage);
  const end = { stop_reason: stopReason(answer), stop_sequence: null };
  return [
    ...opening(answer),
    ...blocks.slice(0, 1),
    PING,
    ...blocks.slice(1),
    event('message_delta', { delta: end, usage }),
    event('message_stop', {}),
  ];
}

export function opening(answer: Answer): WireEvent[] {
  const usage = {
    ...usageOf(answer.usage),
    output_tokens: Math.min(1, answer.usage.output),
    output_tokens_details: null,
  };
  return [event('message_start', { message: { ...messageHead(answer), usage } })];
}

function blockEvents(part: AnswerPart, index: number, answer: Answer): WireEvent[] {
  const { start, deltas } = blockStream(part, answer);
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => ({ ...event('content_block_delta', { index, delta }), output: true })),
    event('content_block_stop', { index }),
  ];
}

/** The service's own search: its call, and what it found. */
function searchBlocks({ found, seed }: Answer): Record<string, unknown>[] {
  if (found === undefined) return [];
  const id = `srvtoolu_01${shortHash(`${seed}/search`, 22)}`;
  const content = found.map((page) => ({ type: 'web_search_result', ...page, encrypted_content: 'x', page_age: null }));
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query: 'what was asked' } },
    { type: 'web_search_tool_result', tool_use_id: id, content },
  ];
}

function wholeBlock(block: Record<string, unknown>, index: number): WireEvent[] {
  return [event('content_block_start', { index, content_block: block }), event('content_block_stop', { index })];
}

interface BlockStream {
  start: Record<string, unknown>;
  deltas: Record<string, unknown>[];
}

function blockStream(part: AnswerPart, answer: Answer): BlockStream {
  const { deltaChars, model } = answer;
  if (part.type === 'tool_call') {
    const pieces = ['', ...splitDeltas(part.args, Math.max(deltaChars, Math.ceil(part.args.length / 1000)))];
    const start = { type: 'tool_use', id: part.id, name: part.name, input: {} };
    return { start, deltas: pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })) };
  }
  const pieces = splitDeltas(part.text, deltaChars);
  if (part.type !== 'thinking') {
    return { start: { type: 'text', text: '' }, deltas: pieces.map((text) => ({ type: 'text_delta', text })) };
  }
  if (part.redacted) return { start: { type: 'redacted_thinking', data: sealThinking(model, part.text) }, deltas: [] };
  const thoughts = pieces.map((thinking) => ({ type: 'thinking_delta', thinking }));
  const signature = { type: 'signature_delta', signature: signThinking(model, part.text) };
  return { start: { type: 'thinking', thinking: '', signature: '' }, deltas: [...thoughts, signature] };
}

function event(type: string, fields: Record<string, unknown>): WireEvent {
  return { event: type, data: JSON.stringify({ type, ...fields }) };
}
