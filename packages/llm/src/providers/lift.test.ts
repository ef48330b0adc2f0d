import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { StreamEvent } from '../types/stream.ts';
import { BEFORE_FIRST_PART, liftPart, openEnds, type LiftState } from './lift.ts';

const context = { proofOf: () => ({}), toolNames: new Map([['file_read', 'file.read']]), newCallId: () => 'call_new' };

function liftAll(...parts: LanguageModelV4StreamPart[]): {
  events: StreamEvent[];
  state: LiftState;
  failure?: unknown;
} {
  let state = BEFORE_FIRST_PART;
  const events: StreamEvent[] = [];
  for (const part of parts) {
    const lifted = liftPart(state, part, context);
    state = lifted.state;
    events.push(...lifted.events);
    if (lifted.failure !== undefined) return { events, state, failure: lifted.failure.error };
  }
  return { events, state };
}

const usage: LanguageModelV4Usage = {
  inputTokens: { total: 10, noCache: 4, cacheRead: 6, cacheWrite: undefined },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
};

describe('lifting', () => {
  it('holds the start until the id and model are known', () => {
    const { events } = liftAll(
      { type: 'stream-start', warnings: [{ type: 'unsupported', feature: 'seed' }] },
      { type: 'response-metadata', id: 'r', modelId: 'm' },
      { type: 'text-start', id: '0' },
    );
    expect(events).toEqual([
      {
        kind: 'STREAM_START',
        responseId: 'r',
        model: 'm',
        warnings: [{ code: 'unsupported', message: 'seed is not supported here and was left out.' }],
      },
      { kind: 'TEXT_START', id: '0' },
    ]);
  });

  it('never cuts a character in two', () => {
    const { events } = liftAll(
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'a\ud83d' },
      { type: 'text-delta', id: '0', delta: '\ude00b\ud83d' },
      { type: 'text-end', id: '0' },
    );
    expect(events.flatMap((event) => (event.kind === 'TEXT_DELTA' ? [event.text] : []))).toEqual([
      'a',
      '😀b',
      '\ufffd',
    ]);
  });

  it('gives a call that comes in one piece its start and delta, an id where it has none, and its own name', () => {
    const { events } = liftAll({ type: 'tool-call', toolCallId: '', toolName: 'file_read', input: '{"a":1}' });
    expect(events.slice(1)).toEqual([
      { kind: 'TOOL_CALL_START', toolCallId: 'call_new', toolName: 'file.read' },
      { kind: 'TOOL_CALL_DELTA', toolCallId: 'call_new', argsDelta: '{"a":1}' },
      {
        kind: 'TOOL_CALL_END',
        toolCallId: 'call_new',
        toolName: 'file.read',
        call: { kind: 'TOOL_CALL', toolCallId: 'call_new', toolName: 'file.read', args: { a: 1 } },
      },
    ]);
  });

  it('keeps two calls with one id apart', () => {
    const piece = (input: string): LanguageModelV4StreamPart[] => [
      { type: 'tool-input-start', id: 'x', toolName: 't' },
      { type: 'tool-input-delta', id: 'x', delta: input },
      { type: 'tool-call', toolCallId: 'x', toolName: 't', input },
    ];
    const { events } = liftAll(...piece('{"n":1}'), ...piece('{"n":2}'));
    expect(events.flatMap((event) => (event.kind === 'TOOL_CALL_END' ? [event.call.args] : []))).toEqual([
      { n: 1 },
      { n: 2 },
    ]);
  });

  it('counts all input as input, and takes an interrupted finish for no end', () => {
    const done = liftAll({ type: 'finish', finishReason: { unified: 'stop', raw: 'end_turn' }, usage });
    expect(done.state.end).toEqual({
      finishReason: { reason: 'stop', raw: 'end_turn' },
      usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, reasoningTokens: 2, cacheReadTokens: 6 },
    });
    expect(
      liftAll({ type: 'finish', finishReason: { unified: 'interrupted', raw: undefined }, usage }).state.end,
    ).toBeUndefined();
  });

  it('passes an event of unknown kind by, and fails on any other error', () => {
    const unknown = Object.assign(new Error('Type validation failed'), { name: 'AI_TypeValidationError' });
    expect(liftAll({ type: 'error', error: unknown }).events.map(({ kind }) => kind)).toEqual([
      'STREAM_START',
      'PROVIDER_EVENT',
    ]);
    expect(liftAll({ type: 'error', error: { type: 'overloaded_error' } }).failure).toEqual({
      type: 'overloaded_error',
    });
  });

  it('can close what was left open', () => {
    const { state } = liftAll(
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'reasoning-start', id: '2' },
    );
    expect(openEnds(state)).toEqual([
      { kind: 'TEXT_END', id: '1' },
      { kind: 'THINKING_END', id: '2' },
    ]);
  });
});
