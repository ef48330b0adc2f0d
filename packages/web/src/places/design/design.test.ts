import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const here = import.meta.dirname;

it('shows every part', () => {
  const shown = readdirSync(here)
    .filter((name) => name.endsWith('.tsx'))
    .map((name) => readFileSync(join(here, name), 'utf8'))
    .join('\n');
  // The body is what a text in Markdown becomes once its renderer is loaded.
  const parts = readdirSync(join(here, '..', '..', 'ui')).filter((name) => /^(?!markdown-body).*\.tsx$/.test(name));
  expect(parts.length).toBeGreaterThan(15);
  expect(parts.filter((name) => !shown.includes(`'../../ui/${name}'`))).toEqual([]);
});
