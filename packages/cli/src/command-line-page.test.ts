import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wholeProgram } from './main.ts';
import { commandTables } from './test-support/command-tables.ts';

const PAGE = join(import.meta.dirname, '..', '..', '..', 'docs', 'command-line.md');
const [BEGIN, END] = ['<!-- commands: begin -->', '<!-- commands: end -->'];

/** Run with UPDATE_PAGES=1 it writes the tables instead of comparing them. */
it('lists every command of the program on the page about the command line, and no other', async () => {
  const page = readFileSync(PAGE, 'utf8');
  const [head = '', rest = ''] = page.split(BEGIN);
  const [tables = '', tail = ''] = rest.split(END);
  const wanted = commandTables(await wholeProgram());
  if (process.env['UPDATE_PAGES'] === '1') writeFileSync(PAGE, `${head}${BEGIN}\n\n${wanted}\n\n${END}${tail}`);
  else expect(plain(tables)).toEqual(plain(wanted));
});

/** Without the blanks that only align. */
function plain(text: string): ReadonlyArray<string> {
  const lines = text.split('\n').map((line) => line.replaceAll(/-{2,}/g, '---').replaceAll(/ {2,}/g, ' ').trim());
  return lines.filter((line) => line !== '');
}
