import type { Effect } from '@attractor/platform';
import { expect, it } from 'vitest';
import { effectWords } from './branch-words.ts';

it('says of work that left this machine what was done, not only that something was', () => {
  const effect = { work: { kind: 'create_pr' }, error: null } as Effect;
  expect(effectWords({ ...effect, state: 'done' })).toBe('Pull request opened');
  expect(effectWords({ ...effect, state: 'running' })).toBe('Pull request: running');
  expect(effectWords({ ...effect, state: 'failed', error: 'no such remote' })).toBe(
    'Pull request: failed, no such remote',
  );
});
