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

/** Prints how many bytes of buffers there were at most while each was dropped at once and little else was made. */
const BUFFERS = `
const { giveHeapBack, keepHeapSmall } = await import(${JSON.stringify(join(import.meta.dirname, 'small-heap.ts'))});
keepHeapSmall();
if (process.argv[1] === 'back') giveHeapBack();
let most = 0;
for (let round = 0; round < 1_000; round += 1) {
  for (let made = 0; made < 20; made += 1) Buffer.allocUnsafeSlow(16_384);
  most = Math.max(most, process.memoryUsage().arrayBuffers);
  await null;
}
console.log(JSON.stringify({ buffers: most }));
`;

/** Prints what is resident after five peaks of objects that live on for a while; or, with a bound, once it is less than that. */
const PEAKS = `
const { giveHeapBack, keepHeapSmall } = await import(${JSON.stringify(join(import.meta.dirname, 'small-heap.ts'))});
const bound = Number(process.argv[1]);
keepHeapSmall();
if (bound > 0) giveHeapBack();
const used = Array.from({ length: 200_000 }, (_, number) => ({ number }));
const little = async () => {
  for (let round = 0; round < 200; round += 1) {
    used[round] = Array.from({ length: 5_000 }, (_, number) => ({ round, number })).slice(0, 200);
    await new Promise((next) => setImmediate(next));
  }
};
for (let peak = 0; peak < 5; peak += 1) {
  let many = Array.from({ length: 400_000 }, (_, number) => ({ number, text: number + '-' + peak }));
  used[0] = many.length;
  many = null;
  await little();
}
const resident = () => process.memoryUsage().rss;
for (let more = 0; more < 50 && bound > 0 && resident() >= bound; more += 1) await little();
console.log(JSON.stringify({ resident: resident(), used: used.length }));
`;

const tell = (program: string, way: string): Record<'grown' | 'dead' | 'code' | 'buffers' | 'resident', number> =>
  JSON.parse(execFileSync(process.execPath, ['--input-type=module', '--eval', program, way], { encoding: 'utf8' }));

it('lets the room for new objects grow no further, few dead ones gather, and little code be made', () => {
  const [kept, free] = [tell(CHILD, 'kept'), tell(CHILD, 'free')];
  expect(kept.grown).toBeLessThan(free.grown / 2);
  // 2.1 where only the room for new objects is kept small: what is in it grows old sooner.
  expect(kept.dead).toBeLessThan(1.8);
  expect(kept.code).toBeLessThan(free.code / 2);
});

it('lets few dead buffers gather where little else is made', () => {
  expect(tell(BUFFERS, 'back').buffers).toBeLessThan(tell(BUFFERS, 'kept').buffers / 2);
});

it('gives back what a peak took', () => {
  const bound = tell(PEAKS, '0').resident * 0.85;
  expect(tell(PEAKS, String(bound)).resident).toBeLessThan(bound);
});
