import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Prints by how much the room for new objects grew while many were made. */
const CHILD = `
const { getHeapSpaceStatistics } = await import('node:v8');
const { keepYoungObjectsFew } = await import(${JSON.stringify(join(import.meta.dirname, 'young-objects.ts'))});
const room = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
if (process.argv[1] === 'kept') keepYoungObjectsFew();
const before = room();
const kept = [];
for (let round = 0; round < 200; round += 1) {
  kept.push(Array.from({ length: 20_000 }, (_, number) => ({ round, number })).slice(0, 200));
  if (kept.length > 50) kept.shift();
}
console.log(room() / before);
`;

it('lets the room for new objects grow no further', () => {
  const grown = (way: string): number =>
    Number(execFileSync(process.execPath, ['--input-type=module', '--eval', CHILD, way], { encoding: 'utf8' }));
  expect(grown('kept')).toBeLessThan(grown('free') / 2);
});
