import { expect, it } from 'vitest';
import { ROUTES } from '@attractor/api';
import { withEverything } from './everything-page.ts';
import type { Tree } from './tree.ts';

const SOURCES: Readonly<Record<string, string>> = {
  'packages/web/src/places/costs/budgets.tsx': 'api.budgets.set(body)',
  'packages/cli/src/nouns/budgets.ts':
    "verb({\n    name: 'set',\n    call: ({ client }) => client.budgets.set(body),\n  }),",
};
const TREE: Tree = { root: '/', files: Object.keys(SOURCES), read: (file) => SOURCES[file] ?? '' };

it('lists every call once, with the place and the command that make it, and leaves no cell empty', () => {
  const page = withEverything('# Page\n\n| old |\n\nEnd.\n', TREE);
  const rows = page.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'));
  const calls = Object.values(ROUTES).flatMap((routes) => Object.keys(routes()));
  expect(rows).toHaveLength(calls.length);
  const set = rows.find((row) => row.includes('`attractor budgets set`'));
  expect(set?.split('|').map((cell) => cell.trim())).toEqual([
    '',
    expect.any(String),
    'costs',
    '`attractor budgets set`',
    '`POST /api/budgets`',
    '',
  ]);
  for (const row of rows) expect(row).not.toMatch(/\| +\|/);
  expect(page.startsWith('# Page\n\n| what')).toBe(true);
  expect(withEverything(page, TREE)).toBe(page);
});
