import { expect, it } from 'vitest';
import { payloadWords } from './payload-words.ts';
import { everyStateFacts } from './test-support/every-state.ts';
import { stateOf } from './task-state.ts';

it('tells every field of a report, of any shape, in lines', () => {
  const comments = [{ file: 'a.ts', line: 3, comment: 'Wrong\nsign' }, { comment: 'Nice' }];
  expect(payloadWords({ why: 'It touches payments', amount: 3, nothing: null, comments })).toBe(
    'why: It touches payments\namount: 3\ncomments:\n  -\n    file: a.ts\n    line: 3\n    comment: Wrong\nsign\n  - comment: Nice',
  );
  expect([payloadWords(null), payloadWords('Just words'), payloadWords('x'.repeat(9_000)).length]).toEqual([
    '',
    'Just words',
    4_000,
  ]);
});

it('a task that rests where its agent led it shows what the agent reported', () => {
  const resting = everyStateFacts()
    .filter((facts) => stateOf(facts).detail?.includes('nothing happens until') === true)
    .take(20)
    .toArray();
  expect(resting.length).toBeGreaterThan(0);
  const pendingPayload = { outcome: 'risky', payload: { why: 'It touches payments' }, response: null };
  for (const facts of resting)
    expect(stateOf({ ...facts, task: { ...facts.task, pendingPayload } }).detail).toBe(
      'The agent reported risky:\nwhy: It touches payments',
    );
});
