import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingTests, namedTests } from './named-tests.ts';
import { CHECKOUT } from './tree.ts';

const ATTACKS = [...numbers(1, 19), ...numbers(26, 29)];

const rows = namedTests(path.join(CHECKOUT, 'docs', 'threats.md'));

function numbers(from: number, to: number): ReadonlyArray<string> {
  return Array.from({ length: to - from + 1 }, (_, index) => `T${from + index}`);
}

describe('the table of attacks', () => {
  it('has T1 to T19 and T26 to T29', () => {
    const shown = new Set(rows.map(({ cells }) => cells[1] ?? ''));
    expect(ATTACKS.filter((attack) => !shown.has(attack))).toEqual([]);
  });

  it('names only tests that are there', () => {
    expect(rows.length).toBeGreaterThanOrEqual(ATTACKS.length);
    expect(missingTests(rows)).toEqual([]);
  });
});
