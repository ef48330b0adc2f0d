import type { CheckResult } from '@attractor/store';
import { describe, expect, it } from 'vitest';
import { isKnownFailure } from './known-failure.ts';

const result = (output: string, more: Partial<CheckResult> = {}): CheckResult => ({
  name: 'test',
  command: 'npm test',
  phase: 'branch',
  commit: 'c',
  passed: false,
  exitCode: 1,
  severity: 'error',
  durationMs: 1,
  output,
  ...more,
});

describe('a failure that was there before', () => {
  it('is known, wherever its lines moved and however long it took', () => {
    const base = result('not ok 3 - divides (/tmp/a1/x.test.ts:12:5) 31 ms\n1 failed, commit 0a1b2c3');
    const work = result('ok 1 - adds\nnot ok 4 - divides (/tmp/b2/x.test.ts:19:5) 7 ms\n1 failed, commit 9f8e7d6');
    expect(isKnownFailure(work, base)).toBe(true);
    expect(isKnownFailure(result(''), result(''))).toBe(true);
  });

  it('is known if it takes too long on both sides, and new if the work is what made it slow or added a failure', () => {
    const slow = (output: string) => result(output, { exitCode: null, timedOut: true });
    expect(
      isKnownFailure(slow('ok 1\nok 2\nIt took longer than 200 ms'), slow('ok 1\nIt took longer than 200 ms')),
    ).toBe(true);
    expect(isKnownFailure(slow('ok 1'), result('not ok 1'))).toBe(false);
    expect(isKnownFailure(slow('ok 1\nnot ok 2 - adds'), slow('ok 1'))).toBe(false);
    expect(isKnownFailure(result('refused', { exitCode: null }), result('refused', { exitCode: null }))).toBe(false);
  });

  it.each([
    ['another test fails', result('not ok 3 - divides\nnot ok 4 - adds')],
    ['more of them fail', result('2 tests failed')],
    ['it ends in another way', result('1 test failed', { exitCode: 127 })],
    ['it did not end', result('1 test failed', { exitCode: null })],
    ['it is another command', result('1 test failed', { command: 'npm run all' })],
  ])('is new if %s', (_why, work) => {
    expect(isKnownFailure(work, result('not ok 3 - divides\n1 test failed'))).toBe(false);
  });

  it('is new if the base passed, or was never checked', () => {
    expect(isKnownFailure(result('x'), result('', { passed: true, exitCode: 0 }))).toBe(false);
    expect(isKnownFailure(result('x'), undefined)).toBe(false);
  });
});
