import { describe, expect, it } from 'vitest';
import type { DeliveredEvent } from '@attractor/journal';
import { linesOf } from './event-lines.ts';

const options = { partial: null, shorten: (_: string, output: string) => output, callOf: () => 'toolu_1' };

function linesFor(event: Record<string, unknown>) {
  return linesOf(
    { seq: 1, at: '2026-01-01T00:00:00Z', sessionId: 's', ...event } as unknown as DeliveredEvent,
    options,
  );
}

describe('a line of the system', () => {
  it.each([
    [529, 'overloaded'],
    [429, 'rate_limit'],
    [500, 'server_error'],
    [undefined, 'unknown'],
  ])('tells of a request that is made again after %s', (status, error) => {
    const lost = { kind: 'CONNECTION_LOST', message: 'It is busy.', retryInMs: 250, attempt: 3, status };
    expect(linesFor(lost)).toEqual([
      {
        type: 'system',
        subtype: 'api_retry',
        attempt: 3,
        max_retries: Number.MAX_SAFE_INTEGER,
        retry_delay_ms: 250,
        error_status: status ?? null,
        error,
        message: 'It is busy.',
        session_id: 's',
        uuid: expect.any(String),
      },
    ]);
  });

  it.each([
    ['completed', 'completed'],
    ['error', 'failed'],
    ['aborted', 'stopped'],
    ['interrupted', 'stopped'],
  ])('tells of an agent that ended: %s', (status, told) => {
    const result = { output: 'So.', success: true, turnsUsed: 1 };
    expect(linesFor({ kind: 'SUBAGENT_END', subagentId: 'sub_1', status, result })).toMatchObject([
      { subtype: 'task_notification', task_id: 'sub_1', tool_use_id: 'toolu_1', status: told, summary: 'So.' },
    ]);
  });

  it('tells of an answer that was refused, behind it', () => {
    const answer = { kind: 'ASSISTANT_MESSAGE', content: [], usage: {}, model: 'm', cutShort: 'content_filter' };
    expect(linesFor(answer)).toMatchObject([
      { type: 'assistant', message: { stop_reason: 'refusal' } },
      { subtype: 'model_refusal_no_fallback', original_model: 'm', request_id: null, content: 'm refused to answer.' },
    ]);
  });

  it('shows a warning as the published shape has it, and as the first versions did', () => {
    expect(linesFor({ kind: 'WARNING', message: 'Look.' })).toMatchObject([
      { subtype: 'informational', content: 'Look.', message: 'Look.', level: 'notice', session_id: 's' },
    ]);
  });
});
