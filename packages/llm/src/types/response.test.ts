import { describe, expect, it } from 'vitest';
import type { ContentPart } from './content.ts';
import { responseReasoning, responseText, responseToolCalls } from './response.ts';

const saying = (...content: ContentPart[]) => ({ message: { role: 'assistant' as const, content } });

const MIXED = saying(
  { kind: 'THINKING', text: 'first ', signature: 's' },
  { kind: 'TEXT', text: 'Hello ' },
  { kind: 'REDACTED_THINKING', data: 'hidden' },
  { kind: 'TOOL_CALL', toolCallId: 'c1', toolName: 'read', args: { path: 'a' }, signature: 'opaque' },
  { kind: 'TEXT', text: 'there' },
  { kind: 'THINKING', text: 'second' },
);

describe('what a response says', () => {
  it('is its text parts joined, and nothing when there are none (AC8.3)', () => {
    expect(responseText(MIXED)).toBe('Hello there');
    expect(responseText(saying({ kind: 'THINKING', text: 'hm' }))).toBe('');
  });

  it('has its calls as id, name and arguments, and its open thinking joined (AC8.4)', () => {
    expect(responseToolCalls(MIXED)).toEqual([{ toolCallId: 'c1', toolName: 'read', args: { path: 'a' } }]);
    expect(responseReasoning(MIXED)).toBe('first second');
    expect([responseToolCalls(saying()), responseReasoning(saying())]).toEqual([[], '']);
  });
});
