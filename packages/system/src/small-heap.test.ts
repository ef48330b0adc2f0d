import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** Prints by how much the room for new objects grew while many were made, and how much more than is used was held at most. */
const CHILD = `
const { getHeapSpaceStatistics } = await import('node:v8');
const { keepHeapSmall } = await import(${JSON.stringify(join(import.meta.dirname, 'small-heap.ts'))});
const room = () => getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space').space_size;
const held = () => process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
if (process.argv[1] === 'kept') keepHeapSmall();
const before = room();
const used = new Array(6_000_000).fill(0.5);
const kept = [];
let [least, most] = [Infinity, 0];
for (let round = 0; round < 600; round += 1) {
  const made = Array.from({ length: 5_000 }, (_, number) => ({ round, number })).slice(0, 200);
  kept.push([made, Buffer.allocUnsafeSlow(300_000)]);
  if (kept.length > 20) kept.shift();
  if (round > 100) [least, most] = [Math.min(least, held()), Math.max(most, held())];
}
console.log(JSON.stringify({ grown: room() / before, dead: most / least, used: used.length }));
`;

const tell = (way: string): { readonly grown: number; readonly dead: number } =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', CHILD, way], { encoding: 'utf8' }));

it('lets the room for new objects grow no further, and few dead ones gather', () => {
  const [kept, free] = [tell('kept'), tell('free')];
  expect(kept.grown).toBeLessThan(free.grown / 2);
  // 2.1 where only the room for new objects is kept small: what is in it grows old sooner.
  expect(kept.dead).toBeLessThan(1.8);
});
