import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const SOURCE = path.join(import.meta.dirname, '..');

/** What programs that use this package hold in their hands most. */
const ROOMS = [
  'types',
  'session',
  'tools',
  'truncation',
  'profiles',
  'prompts',
  'subagent',
  'open',
  'contract',
  'conversation',
  'testing',
];

const EXPORT = /^export (?:async )?(?:function\*?|const|class) (\w+)/;

function filesOf(room: string): ReadonlyArray<string> {
  return readdirSync(path.join(SOURCE, room), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => path.join(room, name));
}

it('says of every function and value that the package exports what it does', async () => {
  const offered = new Set([...Object.keys(await import('../index.ts')), ...Object.keys(await import('./index.ts'))]);
  const found = ROOMS.flatMap(filesOf).flatMap((file) => {
    const lines = readFileSync(path.join(SOURCE, file), 'utf8').split('\n');
    return lines.flatMap((line, at) => {
      const name = EXPORT.exec(line)?.[1] ?? '';
      return offered.has(name) ? [{ name: `${file}: ${name}`, isSaid: lines[at - 1]?.endsWith('*/') === true }] : [];
    });
  });
  expect(found.length).toBeGreaterThan(50);
  expect(found.flatMap(({ name, isSaid }) => (isSaid ? [] : [name]))).toEqual([]);
});
