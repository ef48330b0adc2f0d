import { describe, expect, it } from 'vitest';
import { documentedFunctions } from './documented-functions.ts';
import { judge } from './planted.ts';

const DOOR = 'packages/agent/src/index.ts';
const FILE = 'packages/agent/src/room/a.ts';

const said = (door: string, text: string): string[] => judge(documentedFunctions, { [DOOR]: door, [FILE]: text });

describe('what a library hands out', () => {
  it.each([
    ['by name', `export { make } from './room/a.ts';`],
    ['under another name', `export { make as create } from './room/a.ts';`],
    ['with everything', `export * from './room/a.ts';`],
  ])('%s has a comment', (_how, door) => {
    expect(said(door, 'export function make() {}')).toEqual([expect.stringContaining(`${FILE}:1 make`)]);
    expect(said(door, '/** Makes one. */\nexport function make() {}')).toEqual([]);
  });

  it('may be a class, and may come through another barrel', () => {
    const files = {
      [DOOR]: `export * from './room/index.ts';`,
      'packages/agent/src/room/index.ts': `export { Maker } from './a.ts';`,
      [FILE]: 'export class Maker {}\nexport function notHandedOut() {}',
    };
    expect(judge(documentedFunctions, files)).toEqual([expect.stringContaining(`${FILE}:1 Maker`)]);
  });

  it('does not count what stays inside, types, or other packages', () => {
    expect(said(`export type { A } from './room/a.ts';`, 'export type A = 1;\nexport function make() {}')).toEqual([]);
    expect(judge(documentedFunctions, { 'packages/web/src/index.ts': 'export function draw() {}' })).toEqual([]);
  });
});
