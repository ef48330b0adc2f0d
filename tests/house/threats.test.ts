import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CHECKOUT } from './tree.ts';

const DOCS = path.join(CHECKOUT, 'docs');
const ATTACKS = [...numbers(1, 19), ...numbers(26, 29)];

const rows = readFileSync(path.join(DOCS, 'threats.md'), 'utf8')
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .filter((cells) => cells.at(-3)?.endsWith('.test.ts)'))
  .map((cells) => ({
    attack: cells[1] ?? '',
    file: path.join(DOCS, /\((.*)\)/.exec(cells.at(-3) ?? '')?.[1] ?? ''),
    test: (cells.at(-2) ?? '').replaceAll(/\\([_*$])/g, '$1'),
  }));

function numbers(from: number, to: number): ReadonlyArray<string> {
  return Array.from({ length: to - from + 1 }, (_, index) => `T${from + index}`);
}

/** Is there a test, a group of tests or a row of a table with just this title? */
function isThere({ file, test }: (typeof rows)[number]): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8');
  return [`'${test}'`, `"${test}"`, `\`${test}\``].some((title) => source.includes(`${title},`));
}

describe('the table of attacks', () => {
  it('has T1 to T19 and T26 to T29', () => {
    const shown = new Set(rows.map(({ attack }) => attack));
    expect(ATTACKS.filter((attack) => !shown.has(attack))).toEqual([]);
  });

  it('names only tests that are there', () => {
    expect(rows.length).toBeGreaterThanOrEqual(ATTACKS.length);
    expect(rows.filter((row) => !isThere(row)).map(({ file, test }) => `${path.basename(file)}: ${test}`)).toEqual([]);
  });
});
