import { expect, it } from 'vitest';
import { checksText, problemsOf, rowsOf } from './checks-text.ts';

it('writes checks as the repository’s file has them, and says what is missing', () => {
  const rows = rowsOf([
    { name: 'test', command: 'npm test' },
    { name: 'lint', command: 'npm run lint' },
  ]);
  expect(JSON.parse(checksText(rows))).toEqual({
    checks: { test: { command: 'npm test' }, lint: { command: 'npm run lint' } },
  });
  expect(problemsOf(rows)).toEqual([]);
  expect(problemsOf(rowsOf([]))).toEqual(['Each check needs a command.']);
  expect(problemsOf(rows.map((row) => ({ ...row, name: 'a' })))).toEqual(['Two checks are called a.']);
});
