import { describe, expect, it } from 'vitest';
import { askOf, PROMPT_TYPES, type RawPrompt, readPrompt } from './prompt.ts';

const raw = (type: string, payload: RawPrompt['payload']): RawPrompt => ({
  id: 'prm_1',
  key: 'ATT-1.q1',
  taskId: 'tsk_1',
  runId: null,
  type,
  title: 'Well?',
  payload,
  contentHash: 'h',
  status: 'pending',
  answer: null,
  createdAt: '',
  answeredAt: null,
});

const APPROVAL = { toolCallId: 'c1', toolName: 'shell', input: { command: 'ls' }, command: 'ls' };

describe('a prompt that is read', () => {
  it('is as it was written, with fields that came later or are missing', () => {
    for (const [type, payload] of [
      ['tool_approval', { ...APPROVAL, mood: 'good' }],
      ['question', {}],
      ['budget', { budgetId: 'bdg_1', raiseUsd: null }],
    ] as const)
      expect(readPrompt(raw(type, payload))).toEqual(raw(type, payload));
  });

  it('loses a field that is not what it should be, and nothing else', () => {
    expect(readPrompt(raw('question', { questions: 'which?', question: 'Which?' })).payload).toEqual({
      question: 'Which?',
    });
    expect(askOf('question', { questions: [{ id: 1 }], summary: 's' }).payload).toEqual({ summary: 's' });
  });

  it('that this version can not read is kept as it was written, and nothing can be decided on it', () => {
    for (const [type, payload] of [
      ['oracle', { riddle: '?' }],
      ['tool_approval', { toolName: 'shell' }],
    ] as const) {
      const read = readPrompt(raw(type, payload));
      expect(read).toEqual({ ...raw(type, payload), type: 'unknown', payload: { type, payload } });
      expect(PROMPT_TYPES[read.type].decisions).toEqual([]);
    }
  });
});
