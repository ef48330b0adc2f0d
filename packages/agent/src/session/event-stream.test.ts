import { describe, expect, it } from 'vitest';
import type { DeliveredEvent, SessionEvent } from '../types/index.ts';
import { createEventStream } from './event-stream.ts';

const delivered = (event: SessionEvent, seq = 1): DeliveredEvent => ({ ...event, seq, at: '', sessionId: 's' });
const input = (content: string): DeliveredEvent => delivered({ kind: 'USER_INPUT', content });
const all = async (events: AsyncIterable<DeliveredEvent>): Promise<DeliveredEvent[]> => Array.fromAsync(events);

describe('createEventStream', () => {
  it('keeps what happened before the first reader came (AC10.2)', async () => {
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
  });

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

  const large = (seq: number): DeliveredEvent =>
    delivered(
      { kind: 'TOOL_CALL_END', toolCallId: `${seq}`, toolName: 't', output: 'x'.repeat(1 << 20), isError: false },
      seq,
    );

  it('reads back what it could not keep for a slow reader, so that nothing is missing and nothing comes twice', async () => {
    const stored: DeliveredEvent[] = [];
    const asked: number[][] = [];
    const stream = createEventStream({
      readStored: (after, upto) => {
        asked.push([after, upto]);
        return stored.filter(({ seq }) => seq > after && seq <= upto);
      },
    });
    for (let seq = 1; seq <= 40; seq++) {
      stored.push(large(seq));
      stream.push(large(seq));
    }
    stream.end();
    expect((await all(stream.read())).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 40 }, (_, index) => index + 1),
    );
    expect(asked).toEqual([[0, expect.any(Number)]]);
    expect(asked[0]?.[1]).toBeGreaterThan(30);
  });

  it('says so when what it could not keep is stored nowhere', async () => {
    const stream = createEventStream();
    for (let seq = 1; seq <= 20; seq++) stream.push(large(seq));
    stream.end();
    const events = await all(stream.read());
    expect(events.length).toBeLessThan(12);
    expect(events[0]).toMatchObject({ kind: 'WARNING', message: expect.stringContaining('dropped') });
    expect(events.at(-1)?.seq).toBe(20);
  });

  it('throws in every reader when it ends with an error, after all that came before (AC10.2)', async () => {
    const stream = createEventStream();
    const seen: DeliveredEvent[] = [];
    const early = (async () => {
      for await (const event of stream.read()) seen.push(event);
    })();
    for (const text of ['a', 'b']) stream.push(input(text));
    stream.end(new Error('disk full'));
    await expect(early).rejects.toThrow('disk full');
    expect(seen).toMatchObject([{ content: 'a' }, { content: 'b' }]);
    await expect(all(stream.read())).rejects.toThrow('disk full');
  });
});
