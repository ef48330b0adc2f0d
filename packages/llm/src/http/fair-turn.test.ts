import { expect, it } from 'vitest';
import { fairTurn } from './fair-turn.ts';

function busy(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

it('lets timers run between the work of many, and keeps their order', async () => {
  const order: number[] = [];
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  const work = async (index: number): Promise<void> => {
    await fairTurn();
    order.push(index);
    busy(6);
  };
  await Promise.all(Array.from({ length: 20 }, (_, index) => work(index)));
  clearInterval(timer);
  expect(order).toStrictEqual(order.toSorted((a, b) => a - b));
  expect(ticks).toBeGreaterThan(10);
});

it('does not hold up one that is alone', async () => {
  await new Promise((resolve) => void setImmediate(resolve));
  expect(fairTurn()).toBeUndefined();
  expect(fairTurn()).toBeUndefined();
});
