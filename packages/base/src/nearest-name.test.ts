import { expect, it } from 'vitest';
import { nearestName } from './nearest-name.ts';

it('finds what was meant by a slip of the finger, and nothing where nothing is near', () => {
  const known = ['list', 'get', 'create', 'transition', 'transitions', 'demo'];
  const meant = ['lst', 'list', 'crate', 'dmeo', 'transitoin', 'cre'].map((typed) => nearestName(typed, known));
  expect(meant).toEqual(['list', 'list', 'create', 'demo', 'transition', 'create']);
  expect(nearestName('frobnicate', known)).toBeNull();
  expect(nearestName('xyz', known)).toBeNull();
  expect(nearestName('', known)).toBeNull();
});
