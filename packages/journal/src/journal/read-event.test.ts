import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeliveredEvent, SessionEvent } from '../events/event.ts';
import { decodeRecord, encodeRecord, toRecord } from './record.ts';
import { eventOf } from './read-event.ts';

const usage = { inputTokens: 1, outputTokens: 2, totalTokens: 3 };
const call = { toolCallId: 'c1', toolName: 'shell' };

const EVENTS: ReadonlyArray<SessionEvent> = [
  { kind: 'SESSION_START', sessionId: 's' },
  { kind: 'SESSION_RESUMED', sessionId: 's', interrupted: ['c1'] },
  { kind: 'USER_INPUT', content: 'Go', isFollowUp: true },
  { kind: 'ASSISTANT_MESSAGE', content: [{ kind: 'TEXT', text: 'hm' }], usage, responseId: 'r', model: 'm' },
  { kind: 'TOOL_CALL_START', ...call, args: { command: 'ls' } },
  { kind: 'TOOL_CALL_END', ...call, output: 'a\nb', isError: false },
  { kind: 'APPROVAL_REQUESTED', ...call, args: {}, contentHash: 'h' },
  { kind: 'APPROVAL_ANSWERED', toolCallId: 'c1', allowed: true, contentHash: 'h' },
  { kind: 'COMMAND_INPUT', name: 'compact', text: '' },
  { kind: 'WARNING', message: 'careful' },
  { kind: 'PROCESSING_END' },
];

const stored = (event: SessionEvent) => {
  const delivered: DeliveredEvent = { ...event, seq: 1, at: '2026-01-01T00:00:00.000Z', sessionId: 's' };
  const record = decodeRecord(encodeRecord(toRecord(delivered)).trimEnd());
  if (record === null) throw new Error('the line is damaged');
  return record;
};

describe('a record that is read back', () => {
  it('is the event that was written', () => {
    fc.assert(
      fc.property(fc.constantFrom(...EVENTS), (event) => {
        expect(eventOf(stored(event))).toEqual(event);
      }),
    );
  });

  it('of an error has its name, code and message', () => {
    const error = Object.assign(new Error('no space'), { code: 'ENOSPC' });
    const read = eventOf(stored({ kind: 'ERROR', error }));
    expect(read).toMatchObject({ kind: 'ERROR', error: { name: 'Error', message: 'no space', code: 'ENOSPC' } });
  });

  it('of another version is passed over where it can not be read, and read where only later fields are missing', () => {
    expect(eventOf({ event: { kind: 'MOON_LANDED', crew: 3 } })).toBeNull();
    expect(eventOf({ event: { kind: 'toString' } })).toBeNull();
    expect(eventOf({ event: { kind: 'USER_INPUT', content: 7 } })).toBeNull();
    expect(eventOf({ event: { kind: 'ASSISTANT_MESSAGE', content: ['text'], usage } })).toBeNull();
    expect(eventOf({ event: { kind: 'TOOL_CALL_START', ...call } })).toEqual({ kind: 'TOOL_CALL_START', ...call });
    const later = { kind: 'USER_INPUT', content: 'Go', mood: 'good' };
    expect(eventOf({ event: later })).toEqual(later);
  });
});
