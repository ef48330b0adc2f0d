import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** A row of a page whose last two cells name a test: the link to its file and its title. */
export type NamedTest = {
  readonly cells: ReadonlyArray<string>;
  readonly file: string;
  readonly test: string;
};

/** Every such row of a page. */
export function namedTests(page: string): ReadonlyArray<NamedTest> {
  return readFileSync(page, 'utf8')
    .split('\n')
    .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
    .filter((cells) => cells.at(-3)?.endsWith('.test.ts)'))
    .map((cells) => ({
      cells,
      file: path.join(path.dirname(page), /\((.*)\)/.exec(cells.at(-3) ?? '')?.[1] ?? ''),
      test: (cells.at(-2) ?? '').replaceAll(/\\([_*$|])/g, '$1'),
    }));
}

/** Those that are nowhere: no test, no group of tests and no row of a table has just this title. */
export function missingTests(rows: ReadonlyArray<NamedTest>): ReadonlyArray<string> {
  return rows.filter((row) => !isThere(row)).map(({ file, test }) => `${path.basename(file)}: ${test}`);
}

function isThere({ file, test }: NamedTest): boolean {
  if (!existsSync(file)) return false;
  const source = readFileSync(file, 'utf8');
  return [`'${test}'`, `"${test}"`, `\`${test}\``].some((title) => source.includes(`${title},`));
}
