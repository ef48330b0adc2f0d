import { expect, it } from 'vitest';
import { type RawEvent, readEvent } from '@attractor/store';
import { spansOf } from './timeline.ts';

const at = (second: number): string => `2026-01-01T00:00:${String(second).padStart(2, '0')}.000Z`;
const message = (kind: string, toolCallId: string, more = {}) => ({
  message: { key: toolCallId, kind, toolCallId, toolName: 'shell', input: {}, output: '', ...more },
});
const FRAME = { seq: 1, id: 'evt_1', projectId: 'prj_1', taskId: null, runId: null, summary: '' } as const;
const told = (given: Pick<RawEvent, 'at' | 'type' | 'data'>) =>
  readEvent({ ...FRAME, category: 'agent', level: 'info', actor: { type: 'system' }, ...given });

it('a timeline has each step once, tools by their call, checks by how long they took, and what has not ended open', () => {
  const spans = spansOf([
    told({ at: at(1), type: 'run.step_started', data: { step: 'execute' } }),
    told({ at: at(2), type: 'agent.message', data: message('tool_call', 'a') }),
    told({ at: at(3), type: 'agent.message', data: message('tool_call', 'b') }),
    told({ at: at(4), type: 'agent.message', data: message('tool_result', 'b', { isError: true }) }),
    told({ at: at(5), type: 'run.step_started', data: { step: 'execute' } }),
    told({ at: at(6), type: 'run.step_finished', data: { step: 'execute', ok: true } }),
    told({
      at: at(9),
      type: 'run.check_finished',
      data: { check: { name: 'test', command: 'npm test', phase: 'base', passed: false, durationMs: 2_000 } },
    }),
    told({ at: at(10), type: 'run.step_started', data: { step: 'trigger' } }),
  ]);
  expect(spans).toEqual([
    { kind: 'step', name: 'execute', start: at(1), end: at(6), ok: true },
    { kind: 'tool', name: 'shell', start: at(2), end: null, ok: null },
    { kind: 'tool', name: 'shell', start: at(3), end: at(4), ok: false },
    { kind: 'check', name: 'test', start: at(7), end: at(9), ok: false },
    { kind: 'step', name: 'trigger', start: at(10), end: null, ok: null },
  ]);
});
