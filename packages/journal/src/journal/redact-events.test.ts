import { describe, expect, it } from 'vitest';
import type { SessionEvent } from '../events/event.ts';
import { createEventRedactor } from './redact-events.ts';
import { createRedactor } from '@attractor/redact';

const key = `sk-ant-api03-${'aB3'.repeat(30)}`;
const text = (piece: string): SessionEvent => ({ kind: 'ASSISTANT_TEXT_DELTA', text: piece });
const thinking = (piece: string): SessionEvent => ({ kind: 'THINKING_DELTA', text: piece });
const output = (toolCallId: string, piece: string): SessionEvent => ({
  kind: 'TOOL_CALL_OUTPUT_DELTA',
  toolCallId,
  text: piece,
});

function shown(events: ReadonlyArray<SessionEvent>): ReadonlyArray<SessionEvent> {
  const redact = createEventRedactor(createRedactor());
  return events.flatMap((event) => redact(event));
}

describe('the events of a session', () => {
  it('give what was held back before the end of their text', () => {
    expect(
      shown([
        { kind: 'ASSISTANT_TEXT_START' },
        thinking('it is sk-a'),
        text('hello s'),
        text('k-ant-api'),
        text('03-'),
        ...key.slice(13).split('').map(text),
        { kind: 'ASSISTANT_TEXT_END' },
      ]),
    ).toEqual([
      { kind: 'ASSISTANT_TEXT_START' },
      thinking('it is '),
      thinking('sk-a'),
      text('hello '),
      text('[redacted:anthropic-key]'),
      { kind: 'ASSISTANT_TEXT_END' },
    ]);
  });

  it('keep the texts of calls that run side by side apart', () => {
    const half = key.length / 2;
    const events = shown([
      output('a', key.slice(0, half)),
      output('b', 'plain\n'),
      output('a', `${key.slice(half)}\n`),
      { kind: 'TOOL_CALL_END', toolCallId: 'a', toolName: 'shell', output: `${key}\n`, isError: false },
      output('b', 's'),
      { kind: 'TOOL_CALL_END', toolCallId: 'b', toolName: 'shell', output: 'plain\ns', isError: false },
    ]);
    expect(events).toEqual([
      output('b', 'plain\n'),
      output('a', '[redacted:anthropic-key]\n'),
      {
        kind: 'TOOL_CALL_END',
        toolCallId: 'a',
        toolName: 'shell',
        output: '[redacted:anthropic-key]\n',
        isError: false,
      },
      output('b', 's'),
      { kind: 'TOOL_CALL_END', toolCallId: 'b', toolName: 'shell', output: 'plain\ns', isError: false },
    ]);
  });

  it('forget what was held back of a reply that is discarded', () => {
    expect(
      shown([
        text('a gh'),
        { kind: 'ASSISTANT_TEXT_DISCARDED', reason: 'broke' },
        { kind: 'ASSISTANT_TEXT_START' },
        text('b '),
      ]),
    ).toEqual([
      text('a '),
      { kind: 'ASSISTANT_TEXT_DISCARDED', reason: 'broke' },
      { kind: 'ASSISTANT_TEXT_START' },
      text('b '),
    ]);
  });

  it('keep an error an error, with its class and code', () => {
    const error = Object.assign(new TypeError(`bad key ${key}`), {
      code: 'authentication',
      headers: { cookie: `a=${key}` },
    });
    const [event] = shown([{ kind: 'ERROR', error }]);
    expect(event).toMatchObject({
      error: { name: 'TypeError', message: 'bad key [redacted:anthropic-key]', code: 'authentication' },
    });
    expect(event?.kind === 'ERROR' && event.error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(key);
  });

  it('leave images and what a provider signed or sealed as it is', () => {
    const data = Buffer.from(`cookie: session=${key}`).toString('base64');
    const reply = {
      kind: 'ASSISTANT_MESSAGE' as const,
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      responseId: 'r',
      model: 'm',
    };
    const sealed: SessionEvent = {
      ...reply,
      content: [
        { kind: 'REDACTED_THINKING', data: key },
        { kind: 'THINKING', text: 'plain', signature: key },
        { kind: 'TOOL_CALL', toolCallId: 'a', toolName: 'count', args: { n: 1 }, signature: key },
        { kind: 'IMAGE', source: { data } },
      ],
    };
    expect(shown([sealed])[0]).toBe(sealed);
    const image = { kind: 'IMAGE' as const, source: { data: key } };
    expect(shown([{ kind: 'USER_INPUT', content: `see ${key}`, parts: [{ kind: 'TEXT', text: key }, image] }])).toEqual(
      [
        {
          kind: 'USER_INPUT',
          content: 'see [redacted:anthropic-key]',
          parts: [{ kind: 'TEXT', text: '[redacted:anthropic-key]' }, image],
        },
      ],
    );
  });

  it('lose secrets of every kind of event, and from the addresses of what is no text', () => {
    const address = `https://ada:${'aB3'.repeat(6)}@files.test/x.png`;
    const told = shown([
      { kind: 'WARNING', message: `it printed ${key}` },
      { kind: 'ASSISTANT_TEXT_DISCARDED', reason: key },
      { kind: 'PERMISSION_DENIED', toolCallId: 'a', toolName: 'shell', args: { command: key }, reason: key, part: key },
      { kind: 'APPROVAL_REQUESTED', toolCallId: 'a', toolName: 'shell', args: { command: key }, contentHash: 'h' },
      { kind: 'APPROVAL_ANSWERED', toolCallId: 'a', allowed: true, args: { command: key }, contentHash: 'h' },
      { kind: 'ERROR', error: new Error(`refused ${key}`) },
      { kind: 'USER_INPUT', content: '', parts: [{ kind: 'IMAGE', source: { url: address } }] },
    ]);
    const whole = JSON.stringify(told, (_name, value: unknown) =>
      value instanceof Error ? `${value.message} ${value.stack}` : value,
    );
    for (const secret of [key, 'aB3aB3']) expect(whole).not.toContain(secret);
    expect(told).toHaveLength(7);
  });

  it('take the signature away from thinking whose text has changed, as the provider would refuse it', () => {
    const [event] = shown([
      {
        kind: 'ASSISTANT_MESSAGE',
        content: [
          { kind: 'THINKING', text: `it is ${key}`, signature: 'signed', origin: 'anthropic/x' },
          { kind: 'TOOL_CALL', toolCallId: 'a', toolName: 'shell', args: { command: `echo ${key}` }, signature: 'own' },
        ],
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
        responseId: 'r',
        model: 'm',
      },
    ]);
    expect(event).toMatchObject({
      content: [
        { kind: 'THINKING', text: 'it is [redacted:anthropic-key]', origin: 'anthropic/x' },
        { kind: 'TOOL_CALL', args: { command: 'echo [redacted:anthropic-key]' }, signature: 'own' },
      ],
    });
    expect(JSON.stringify(event)).not.toContain('signed');
  });
});
