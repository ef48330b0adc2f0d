import { expect, it } from 'vitest';
import { sideOf } from './menu-side.ts';

it('grows to the right where it fits, and from an edge that is near to the other side', () => {
  expect(sideOf({ left: 100, right: 180 }, 300, 1440)).toEqual({ edge: 'left', offset: 100, maxWidth: 360 });
  expect(sideOf({ left: 1380, right: 1412 }, 300, 1440)).toEqual({ edge: 'right', offset: 28, maxWidth: 360 });
});

it.each([
  ['at the left of a phone', { left: 26, right: 104 }, 360, 390],
  ['at its right', { left: 330, right: 374 }, 360, 390],
  ['in the middle of the narrowest', { left: 140, right: 184 }, 304, 320],
])('never leaves the window: %s', (_, button, width, windowWidth) => {
  const { offset, maxWidth } = sideOf(button, width, windowWidth);
  expect(offset).toBeGreaterThanOrEqual(8);
  expect(maxWidth).toBeGreaterThanOrEqual(208);
  expect(offset + maxWidth).toBeLessThanOrEqual(windowWidth - 8);
});
