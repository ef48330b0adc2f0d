import { expect, it } from 'vitest';
import { spansOf } from './timeline.ts';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const message = (kind: string, toolCallId: string, more = {}) => ({
  message: { kind, toolCallId, toolName: 'shell', ...more },
});

it('a timeline has each step once, tools by their call, checks by how long they took, and what has not ended open', () => {
  const spans = spansOf([
    { at: at(1), type: 'run.step_started', data: { step: 'execute' } },
    { at: at(2), type: 'agent.message', data: message('tool_call', 'a') },
    { at: at(3), type: 'agent.message', data: message('tool_call', 'b') },
    { at: at(4), type: 'agent.message', data: message('tool_result', 'b', { isError: true }) },
    { at: at(5), type: 'run.step_started', data: { step: 'execute' } },
    { at: at(6), type: 'run.step_finished', data: { step: 'execute', ok: true } },
    { at: at(9), type: 'run.check_finished', data: { check: { name: 'test', passed: false, durationMs: 2_000 } } },
    { at: at(10), type: 'run.step_started', data: { step: 'trigger' } },
  ]);
  expect(spans).toEqual([
    { kind: 'step', name: 'execute', start: at(1), end: at(6), ok: true },
    { kind: 'tool', name: 'shell', start: at(2), end: null, ok: null },
    { kind: 'tool', name: 'shell', start: at(3), end: at(4), ok: false },
    { kind: 'check', name: 'test', start: at(7), end: at(9), ok: false },
    { kind: 'step', name: 'trigger', start: at(10), end: null, ok: null },
  ]);
});
