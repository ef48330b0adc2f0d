import * as fc from 'fast-check';
import { expect, it, onTestFinished, vi } from 'vitest';
import { readFrames, type StreamFrame } from './event-stream.ts';
import { runs, toEvent } from './test-support/log.ts';

const event = toEvent({ seq: 7, type: 'note.added', data: { text: 'grüße \n\n 🎉' } });
const delta = { taskId: 'tsk_1', runId: 'run_1', delta: { kind: 'text_delta', text: 'ab' } };
const text = [
  'retry: 1000',
  ': beat',
  `id: 7\nevent: event\ndata: ${JSON.stringify(event)}`,
  `event: delta\ndata: ${JSON.stringify(delta)}`,
  'id: 8\nevent: unheard_of\ndata: {}',
  'id: 8\nevent: event\ndata: {broken',
  'id: 9\nevent: caught_up\ndata: {}',
  'id: 9\nevent: closing\ndata: {}',
  '',
].join('\n\n');

it('reads the same frames however the bytes are cut, and passes over what it does not know', async () => {
  const bytes = new TextEncoder().encode(text);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), async (sizes) => {
      const frames: StreamFrame[] = [];
      for await (const frame of readFrames(cut(bytes, sizes))) frames.push(frame);
      expect(frames).toEqual([
        { kind: 'event', event },
        { kind: 'delta', delta },
        { kind: 'caught_up', seq: 9 },
        { kind: 'closing', seq: 9 },
      ]);
    }),
    runs(40),
  );
});

it('ends by its signal, also where the body knows nothing of it', async () => {
  const stop = new AbortController();
  const silent = new ReadableStream<Uint8Array>();
  const reading = readFrames(silent, stop.signal).next();
  stop.abort();
  expect(await reading).toEqual({ done: true, value: undefined });
  expect(await readFrames(new ReadableStream(), stop.signal).next()).toEqual({ done: true, value: undefined });
});

it('ends after a minute without a byte: whoever reads on connects again; beats keep it open', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const ended = readFrames(readable).next();
  const seen = { isOver: false };
  void ended.then(() => (seen.isOver = true));
  for (let beats = 0; beats < 3; beats += 1) {
    await vi.advanceTimersByTimeAsync(45_000);
    await writer.write(new TextEncoder().encode(': beat\n\n'));
  }
  await vi.advanceTimersByTimeAsync(45_000);
  expect(seen.isOver).toBe(false);
  await vi.advanceTimersByTimeAsync(15_000);
  expect(await ended).toEqual({ done: true, value: undefined });
});

function cut(bytes: Uint8Array, sizes: ReadonlyArray<number>): ReadableStream<Uint8Array> {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull: (controller) => {
      if (at >= bytes.length) return controller.close();
      const size = sizes[turn % sizes.length] ?? 1;
      turn += 1;
      controller.enqueue(bytes.slice(at, at + size));
      at += size;
    },
  });
}
