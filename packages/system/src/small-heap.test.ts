import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/**
 * Prints by how much the room for new objects grew while many were made, how much more than is used was held at most, and how much code was
 * made of functions that were called two thousand times each.
 */
const CHILD = `
const { getHeapCodeStatistics, getHeapSpaceStatistics } = await import('node:v8');
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
const code = () => getHeapCodeStatistics().code_and_metadata_size;
const made = Array.from({ length: 200 }, (_, number) => new Function('n', 'return [n, ' + number + '].map((x) => x * 2).join()'));
const codeBefore = code();
for (let calls = 0; calls < 2_000; calls += 1) {
  for (const one of made) one(calls);
  // Code is made beside this.
  if (calls % 100 === 0) await new Promise((next) => setTimeout(next, 5));
}
console.log(JSON.stringify({ grown: room() / before, dead: most / least, code: code() - codeBefore, used: used.length }));
`;

const tell = (way: string): { readonly grown: number; readonly dead: number; readonly code: number } =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', CHILD, way], { encoding: 'utf8' }));

it('lets the room for new objects grow no further, few dead ones gather, and little code be made', () => {
  const [kept, free] = [tell('kept'), tell('free')];
  expect(kept.grown).toBeLessThan(free.grown / 2);
  // 2.1 where only the room for new objects is kept small: what is in it grows old sooner.
  expect(kept.dead).toBeLessThan(1.8);
  expect(kept.code).toBeLessThan(free.code / 2);
});
