import { describe, expect, it } from 'vitest';
import { circles } from './circles.ts';
import { judge } from './planted.ts';

const SRC = 'packages/one/src';

describe('circles', () => {
  it('of files are refused, also when only types go round', () => {
    expect(
      judge(circles, {
        [`${SRC}/a.ts`]: `import type { B } from './b.ts';`,
        [`${SRC}/b.ts`]: `import { c } from './c.ts';`,
        [`${SRC}/c.ts`]: `type A = import('./a.ts').A;`,
      }),
    ).toEqual([expect.stringContaining(`circle of files: ${SRC}/a.ts → ${SRC}/b.ts → ${SRC}/c.ts`)]);
  });

  it('of folders are refused, at every depth, where no file comes back to itself', () => {
    expect(
      judge(circles, {
        [`${SRC}/room/x/a.ts`]: `import { b } from '../y/b.ts';`,
        [`${SRC}/room/y/b.ts`]: `export const b = 1;`,
        [`${SRC}/room/y/c.ts`]: `import type { D } from '../x/d.ts';`,
        [`${SRC}/room/x/d.ts`]: `export type D = 1;`,
      }),
    ).toEqual([`${SRC}/room holds a knot of folders: x · y`]);
  });

  it('are not what goes down once, nor what tests do', () => {
    expect(
      judge(circles, {
        [`${SRC}/x/a.ts`]: `import { b } from '../y/b.ts';`,
        [`${SRC}/y/b.ts`]: `export * from './c.ts';`,
        [`${SRC}/y/c.ts`]: `export const c = 1;`,
        [`${SRC}/y/c.test.ts`]: `import '../x/a.ts';`,
      }),
    ).toEqual([]);
  });
});
