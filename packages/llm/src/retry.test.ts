import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import { retry, retryStream, type Retry } from './retry.ts';
import { LlmError } from './types/error.ts';
import type { StreamEvent } from './types/stream.ts';

const failing = (retryable: boolean, retryAfterMs?: number): LlmError =>
  new LlmError({ code: 'server', message: 'no', retryable, ...defined({ retryAfterMs }) });

async function attempts(
  error: LlmError,
  policy: Parameters<typeof retry>[1] = {},
): Promise<{ count: number; waits: number[] }> {
  const waits: number[] = [];
  let count = 0;
  const action = async (): Promise<never> => {
    count += 1;
    throw error;
  };
  await expect(retry(action, { random: () => 0.5, sleep: async (ms) => void waits.push(ms), ...policy })).rejects.toBe(
    error,
  );
  return { count, waits };
}

describe('a retry', () => {
  it('comes twice, after one second and two', async () => {
    expect(await attempts(failing(true))).toEqual({ count: 3, waits: [1000, 2000] });
  });

  it('waits between half and one and a half times that, and never more than the cap', async () => {
    expect((await attempts(failing(true), { random: () => 0 })).waits).toEqual([500, 1000]);
    expect(
      (await attempts(failing(true), { random: () => 0.999, maxRetries: 8 })).waits.every((ms) => ms <= 60_000),
    ).toBe(true);
    expect((await attempts(failing(true), { maxRetries: 8 })).waits.at(-1)).toBe(60_000);
  });

  it('is not tried with zero retries, nor for what will not change', async () => {
    expect(await attempts(failing(true), { maxRetries: 0 })).toEqual({ count: 1, waits: [] });
    expect(await attempts(failing(false))).toEqual({ count: 1, waits: [] });
  });

  it('waits as long as the provider asks, and gives up at once beyond the cap', async () => {
    expect((await attempts(failing(true, 5000))).waits).toEqual([5000, 5000]);
    expect(await attempts(failing(true, 60_001))).toEqual({ count: 1, waits: [] });
  });

  it('is announced with its error, number and delay', async () => {
    const seen: Retry[] = [];
    const error = failing(true);
    await attempts(error, { onRetry: (retrying) => seen.push(retrying) });
    expect(seen).toEqual([
      { error, attempt: 1, delayMs: 1000 },
      { error, attempt: 2, delayMs: 2000 },
    ]);
  });

  it('gives the value of the attempt that works, and throws what is no LlmError at once', async () => {
    let count = 0;
    const value = await retry(async () => ((count += 1) < 2 ? Promise.reject(failing(true)) : 'done'), {
      sleep: async () => undefined,
    });
    expect([value, count]).toEqual(['done', 2]);
    await expect(retry(() => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug');
  });

  it('ends its real wait when aborted', async () => {
    const controller = new AbortController();
    const waiting = retry(
      () => Promise.reject(failing(true, 50_000)),
      { onRetry: () => controller.abort() },
      controller.signal,
    );
    await expect(waiting).rejects.toMatchObject({ code: 'abort' });
  });
});

describe('a stream that is asked again', () => {
  const start: StreamEvent = { kind: 'STREAM_START' };
  const error: StreamEvent = { kind: 'ERROR', error: failing(true) };
  const text: StreamEvent = { kind: 'TEXT_DELTA', id: '0', text: 'x' };

  async function collectKinds(streams: StreamEvent[][]): Promise<{ kinds: string[]; opened: number }> {
    let opened = 0;
    const kinds: string[] = [];
    const open = async function* (): AsyncGenerator<StreamEvent> {
      yield* streams[Math.min(opened++, streams.length - 1)] ?? [];
    };
    for await (const event of retryStream(open, { sleep: async () => undefined })) kinds.push(event.kind);
    return { kinds, opened };
  }

  it('forgets what an attempt announced but did not show', async () => {
    const announced: StreamEvent[] = [
      start,
      { kind: 'TEXT_START', id: '0' },
      { kind: 'TEXT_DELTA', id: '0', text: '' },
      error,
    ];
    expect(await collectKinds([announced, [start, text, error]])).toEqual({
      kinds: ['STREAM_START', 'TEXT_DELTA', 'ERROR'],
      opened: 2,
    });
  });

  it('is not asked again once something was shown', async () => {
    expect(await collectKinds([[start, text, error]])).toEqual({
      kinds: ['STREAM_START', 'TEXT_DELTA', 'ERROR'],
      opened: 1,
    });
    const call: StreamEvent = { kind: 'TOOL_CALL_START', toolCallId: 'a', toolName: 'b' };
    expect((await collectKinds([[start, call, error]])).opened).toBe(1);
  });

  it('shows one start and the last error when all attempts fail', async () => {
    expect(await collectKinds([[start, error]])).toEqual({ kinds: ['STREAM_START', 'ERROR'], opened: 3 });
  });
});
