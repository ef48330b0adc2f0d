import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '@attractor/store/testing';
import { readClaims } from './read-claims.ts';

const one = (evidence: unknown, criterion: unknown = 1) => ({ criteria: [{ criterion, evidence }] });

it('reads one or several pieces of evidence for a criterion, and nothing where nothing is claimed', () => {
  expect(readClaims(one({ check: 'test' }), [1])).toEqual({
    claims: [{ criterion: 1, evidence: [{ check: 'test' }] }],
  });
  expect(readClaims(one([{ file: 'a', line: 2 }, { run: 'r' }]), [1])).toMatchObject({ claims: [{ criterion: 1 }] });
  for (const payload of [null, 'words', {}, { criteria: null }])
    expect(readClaims(payload, [])).toEqual({ claims: [] });
});

it.each<[string, unknown, string]>([
  ['no list', { criteria: 'all' }, 'has to be a list'],
  ['an unknown number', one({ check: 'test' }, 4), 'no criterion 4; the task has 1, 2'],
  ['no number', one({ check: 'test' }, 'first'), 'no criterion "first"'],
  ['no evidence', { criteria: [{ criterion: 1 }] }, 'it has to be an object'],
  ['an empty list', one([]), 'needs evidence'],
  ['two kinds in one', one({ check: 'test', file: 'a' }), 'exactly one of check, file, command, run, artifact'],
  ['a misspelt field', one({ check: 'test', lines: 3 }), '"lines" is not a field of evidence'],
  ['a line that is none', one({ file: 'a', line: 0 }), '"line" is not'],
  ['a criterion twice', { criteria: [...one({ run: 'r' }).criteria, ...one({ run: 'r' }).criteria] }, 'claimed twice'],
])('says what is wrong with %s', (_what, payload, says) => {
  const read = readClaims(payload, [1, 2]);
  expect('problem' in read ? read.problem : null).toContain(says);
});

it('of anything at all is read or refused in words', () => {
  fc.assert(
    fc.property(fc.anything(), (written) => {
      const read = readClaims({ criteria: written }, [1]);
      expect('problem' in read ? read.problem !== '' : read.claims.length <= 1).toBe(true);
    }),
    { numRuns: runs(200) },
  );
});
