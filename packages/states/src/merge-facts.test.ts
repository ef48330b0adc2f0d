import { expect, it } from 'vitest';
import { mergeFactsOf } from './merge-facts.ts';

it('a merge can be taken back only where it is known what it brought', () => {
  const merged = (metadata: Readonly<Record<string, unknown>>) =>
    mergeFactsOf([{ type: 'pull_request', label: '#1', metadata: { state: 'merged', ...metadata } }], null).merged;
  expect(merged({})?.canRevert).toBe(false);
  expect(merged({ mergeCommit: 'c0ffee', mergeMethod: 'squash' })?.canRevert).toBe(true);
  expect(merged({ mergeCommit: 'c0ffee', mergeMethod: 'ff' })?.canRevert).toBe(false);
  expect(merged({ mergeCommit: 'c0ffee', mergeMethod: 'ff', baseCommit: 'abcdef' })?.canRevert).toBe(true);
});
