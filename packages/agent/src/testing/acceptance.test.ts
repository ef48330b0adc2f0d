import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const DOCS = path.join(import.meta.dirname, '..', '..', 'docs');

/** How many criteria each group has. */
const GROUPS = [8, 6, 5, 6, 6, 4, 6, 4, 6, 4, 5, 3];

const CRITERIA = GROUPS.flatMap((count, group) => Array.from({ length: count }, (_, n) => `${group + 1}.${n + 1}`));

/** The cells of every row whose last but one leads to a test file. */
const rows = readFileSync(path.join(DOCS, 'acceptance.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.at(-3)?.endsWith('.test.ts)'))
  .map((cells) => ({
    criterion: cells[1] ?? '',
    file: path.join(DOCS, /\((.*)\)/.exec(cells.at(-3) ?? '')?.[1] ?? ''),
    test: (cells.at(-2) ?? '').replaceAll(String.raw`\_`, '_'),
  }));

/** Is there a test or a group of tests with just this title? */
function isThere({ file, test }: (typeof rows)[number]): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8');
  return [`'${test}'`, `"${test}"`, `\`${test}\``].some(
    (title) => source.includes(`(${title},`) || source.includes(`  ${title},`),
  );
}

describe('the table of criteria', () => {
  it('has all sixty-three', () => {
    expect(CRITERIA).toHaveLength(63);
    const shown = new Set(rows.map(({ criterion }) => criterion));
    expect(CRITERIA.filter((criterion) => !shown.has(criterion))).toEqual([]);
  });

  it('names only tests that are there', () => {
    expect(rows.length).toBeGreaterThan(90);
    expect(rows.filter((row) => !isThere(row)).map(({ file, test }) => `${path.basename(file)}: ${test}`)).toEqual([]);
  });
});
