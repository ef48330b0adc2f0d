import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { missingTests, namedTests } from './named-tests.ts';
import { CHECKOUT } from './tree.ts';

const WEB = path.join(CHECKOUT, 'packages', 'web');
const PAGE = path.join(WEB, 'PLACES.md');

const page = readFileSync(PAGE, 'utf8');
const rows = namedTests(PAGE);
const routes = [...readFileSync(path.join(WEB, 'src', 'routes.tsx'), 'utf8').matchAll(/^\s*place\('([^']+)'/gm)];

describe('the page on what the web app does', () => {
  it('names only tests that are there', () => {
    expect(missingTests(rows)).toEqual([]);
    expect(missingTests(rows.map((row) => ({ ...row, test: `${row.test}, not` })))).toHaveLength(rows.length);
  });

  it('has a section with rows for every address of the app', () => {
    const sections = page.split(/^## /m).slice(1);
    const shown = new Map(sections.map((text) => [/`([^`]+)`/.exec(text.split('\n', 1).join(''))?.[1], text]));
    expect(routes.length).toBeGreaterThan(10);
    expect(routes.filter(([, route = '']) => !/^\| [^|]+ \| \[/m.test(shown.get(route) ?? ''))).toEqual([]);
  });
});
