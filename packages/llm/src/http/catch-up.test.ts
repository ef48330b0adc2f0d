import { array, assert, constantFrom, integer, oneof, property, record, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCatchUp } from './catch-up.ts';

const FRAMES: Readonly<Record<string, (text: string, at: number) => string>> = {
  text: (text) => anthropic({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }),
  thinking: (thinking) =>
    anthropic({ type: 'content_block_delta', index: 1, delta: { type: 'thinking_delta', thinking } }),
  arguments: (partial_json) =>
    anthropic({ type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json } }),
  responses: (delta, at) =>
    data({ type: 'response.output_text.delta', sequence_number: at, item_id: 'm', delta, obfuscation: `x${at}` }),
  chat: (content) => data({ id: 'c', choices: [{ index: 0, delta: { content }, finish_reason: null }] }),
};
const ping = anthropic({ type: 'ping' });

function anthropic(event: { type: string; [key: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}`;
}

function data(event: unknown): string {
  return `data: ${JSON.stringify(event)}`;
}

const wire = (events: ReadonlyArray<string>): Buffer => Buffer.from(events.map((event) => `${event}\n\n`).join(''));
const eventsIn = (bytes: Buffer): string[] => bytes.toString().split('\n\n').slice(0, -1);

/** What a reader makes of events: the kinds with their texts, neighbours of one kind joined. */
function meaning(bytes: Buffer): string[] {
  const said: string[] = [];
  let last = '';
  for (const event of eventsIn(bytes)) {
    const value = JSON.parse(event.slice(event.indexOf('data: ') + 6));
    const { delta } = value.choices?.[0] ?? value;
    const text =
      typeof delta === 'string' ? delta : (delta?.text ?? delta?.thinking ?? delta?.partial_json ?? delta?.content);
    const kind = `${value.type}/${value.index}/${delta?.type}`;
    if (text !== undefined && kind === last) said[said.length - 1] += text;
    else said.push(text ?? kind);
    last = text === undefined ? '' : kind;
  }
  return said;
}

describe('events that arrived together', () => {
  it.each(Object.keys(FRAMES))('are fewer but say the same: %s', (kind) => {
    const frame = FRAMES[kind];
    const bytes = wire(Array.from({ length: 500 }, (_, at) => frame?.(`piece ${at} "quoted" \\ é😀\n`, at) ?? ''));
    const merged = createCatchUp()(bytes);
    expect(eventsIn(merged).length).toBeLessThan(40);
    expect(meaning(merged)).toEqual(meaning(bytes));
  });

  it('keep their steps at the beginning of an answer, and only there', () => {
    const bytes = wire(Array.from({ length: 100 }, (_, at) => FRAMES['text']?.(`piece ${at}`, at) ?? ''));
    const catchUp = createCatchUp();
    expect(eventsIn(catchUp(bytes)).slice(0, 32)).toEqual(eventsIn(bytes).slice(0, 32));
    expect(eventsIn(catchUp(bytes)).length).toBeLessThan(4);
  });

  it('pass untouched where they are few', () => {
    const few = wire(Array.from({ length: 7 }, (_, at) => FRAMES['text']?.('word '.repeat(200), at) ?? ''));
    expect(createCatchUp()(few)).toBe(few);
  });

  it('keep what begins and ends in the middle of an event, and characters cut in half', () => {
    const whole = wire(Array.from({ length: 400 }, (_, at) => FRAMES['text']?.(`é${at}`, at) ?? ''));
    for (const cut of [1, 57, 5000, 5001, 5002, whole.length - 3]) {
      const catchUp = createCatchUp();
      const merged = Buffer.concat([catchUp(whole.subarray(0, cut)), catchUp(whole.subarray(cut))]);
      expect(meaning(merged)).toEqual(meaning(whole));
    }
  });

  it('never merge what differs in more than its text', () => {
    const first = Array.from({ length: 50 }, () => FRAMES['text']?.('a', 0) ?? '');
    const others = Array.from({ length: 50 }, (_, at) =>
      anthropic({ type: 'content_block_delta', index: at + 1, delta: { type: 'text_delta', text: 'b' } }),
    );
    const merged = eventsIn(createCatchUp()(wire([...first, ...others])));
    expect(merged.slice(-50)).toEqual(others);
  });

  it('say the same whatever they are, in whatever order', () => {
    const one = record({
      kind: constantFrom(...Object.keys(FRAMES), 'ping'),
      text: oneof(string({ unit: 'grapheme' }), constantFrom('\\', '"', '\\"', '"}}')),
      run: integer({ min: 1, max: 90 }),
    });
    assert(
      property(array(one, { minLength: 3, maxLength: 12 }), (runs) => {
        const events = runs.flatMap(({ kind, text, run }) =>
          Array.from({ length: run }, (_, at) => FRAMES[kind]?.(text, at) ?? ping),
        );
        const bytes = wire(events);
        expect(meaning(createCatchUp()(bytes))).toEqual(meaning(bytes));
      }),
      { numRuns: 100 },
    );
  });
});
