import { describe, expect, it } from 'vitest';
import type { DeliveredEvent, SessionEvent } from '../types/index.ts';
import { createEventStream } from './event-stream.ts';

const delivered = (event: SessionEvent, seq = 1): DeliveredEvent => ({ ...event, seq, at: '', sessionId: 's' });
const input = (content: string): DeliveredEvent => delivered({ kind: 'USER_INPUT', content });
const all = async (events: AsyncIterable<DeliveredEvent>): Promise<DeliveredEvent[]> => Array.fromAsync(events);

describe('createEventStream', () => {
  it('keeps what happened before the first reader came', async () => {
    const stream = createEventStream();
    stream.push(input('a'));
    const reading = all(stream.read());
    stream.push(input('b'));
    stream.end();
    expect(await reading).toHaveLength(2);
  });

  it('lets every reader go at its own pace, and one that leaves disturbs nobody', async () => {
    const stream = createEventStream();
    const slow = all(stream.read());
    const second = stream.read();
    stream.push(input('a'));
    for await (const event of second) {
      expect(event).toMatchObject({ content: 'a' });
      break;
    }
    stream.push(input('b'));
    stream.end();
    expect((await slow).map((event) => event.kind === 'USER_INPUT' && event.content)).toEqual(['a', 'b']);
  }, 1000);

  it('drops deltas that a slow reader lets pile up, and never anything else', async () => {
    const stream = createEventStream();
    for (let count = 0; count < 1000; count++)
      stream.push(delivered({ kind: 'ASSISTANT_TEXT_DELTA', text: 'x'.repeat(1000) }));
    stream.push(input('end'));
    stream.end();
    const events = await all(stream.read());
    expect(events.length).toBeLessThan(300);
    expect(events.at(-1)).toMatchObject({ content: 'end' });
  });

  it('is over at once for a reader that comes after the end', async () => {
    const stream = createEventStream();
    stream.end();
    await all(stream.read());
    expect(await all(stream.read())).toEqual([]);
  });
});
