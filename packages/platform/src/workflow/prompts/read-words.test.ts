import { expect, it } from 'vitest';
import { readWords } from './read-words.ts';

it.each<[string, ReturnType<typeof readWords>]>([
  ['y', { decision: 'approve' }],
  ['Approve', { decision: 'approve' }],
  ['approve the plan.', { decision: 'approve' }],
  ['Approve, but skip the tests for now', { decision: 'approve', message: 'Approve, but skip the tests for now' }],
  ['yes without the tests', { decision: 'approve', message: 'yes without the tests' }],
  ['ok: use Redis 5', { decision: 'approve', message: 'ok: use Redis 5' }],
  ['n', { decision: 'reject' }],
  ['reject: not now', { decision: 'reject', message: 'not now' }],
  ['no, because it is solved elsewhere', { decision: 'reject', message: 'because it is solved elsewhere' }],
  ['changes: keep the old name', { decision: 'changes', message: 'keep the old name' }],
])('what a person says about a plan decides: %s', (said, means) => {
  expect(readWords(said)).toEqual(means);
});

it.each([
  '',
  'approve?',
  'approve, no',
  'approve if the tests pass',
  'yesterday it worked',
  'no tests please',
  'cancel the part with Redis',
  "don't approve",
  'skip the tests',
  'changes',
])('what could mean something else decides nothing: %s', (said) => {
  expect(readWords(said)).toBeNull();
});
