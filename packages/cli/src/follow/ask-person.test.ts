import type { Prompt } from '@attractor/platform';
import { expect, it } from 'vitest';
import type { ApprovalTerminal } from '../approval/tool-approval.ts';
import { askAt } from './ask-person.ts';

const ABOUT = {
  id: 'prm_1',
  key: 'ATT-1.q1',
  taskId: 'tsk_1',
  runId: null,
  title: 'Which one?',
  contentHash: 'h',
  status: 'pending',
  answer: null,
  createdAt: '',
  answeredAt: null,
} as const;

/** A terminal on which a person answers these in turn; what it showed and offered. */
function terminalWith(answers: ReadonlyArray<string | null>) {
  const seen: string[] = [];
  const left = [...answers];
  const terminal: ApprovalTerminal = {
    note: (text, title) => void seen.push(`${title}| ${text}`),
    choose: async (message, options) => {
      seen.push(`${message}: ${options.map(({ label }) => label).join(', ')}`);
      return left.shift() ?? null;
    },
    text: async (message) => {
      seen.push(`${message}:`);
      return left.shift() ?? null;
    },
  };
  return { terminal, seen };
}

it('a terminal shows what it asks: the plan that is approved, each question with its options, each proposal', async () => {
  const plan: Prompt = { ...ABOUT, type: 'plan_approval', payload: { plan: '1. Do it.' } };
  const first = terminalWith(['approve']);
  expect(await askAt(first.terminal, plan)).toEqual({ decision: 'approve' });
  expect(first.seen[0]).toBe('Which one?| 1. Do it.');

  const questions: Prompt = {
    ...ABOUT,
    type: 'question',
    payload: {
      questions: [
        { id: 'q1', question: 'Which database?', context: 'Two are in use.', options: ['a', 'b'], inputType: 'choice' },
        { id: 'q2', question: 'Since when?' },
      ],
    },
  };
  const second = terminalWith(['b', '2024']);
  expect(await askAt(second.terminal, questions)).toEqual({
    decision: 'answer',
    answers: [
      { questionId: 'q1', answer: 'b' },
      { questionId: 'q2', answer: '2024' },
    ],
  });
  expect(second.seen).toEqual(['Which database?| Two are in use.', 'Which database?: a, b', 'Since when?:']);
  expect(await askAt(terminalWith(['b', null]).terminal, questions)).toBeNull();

  const proposals: Prompt = {
    ...ABOUT,
    type: 'options',
    payload: { options: [{ id: 'o1', label: 'Fast', description: 'No checks' }] },
  };
  const third = terminalWith(['o1']);
  expect(await askAt(third.terminal, proposals)).toEqual({
    decision: 'answer',
    answers: [{ questionId: 'option', answer: 'o1' }],
  });
  expect(third.seen).toEqual(['Which one?| Fast: No checks', 'Which one?: Fast']);
});
