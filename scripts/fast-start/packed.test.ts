import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { costlyWhenUsed } from './costly-when-used.ts';
import { type Packed, openPacked } from './packed.ts';
import { placed } from './places.mjs';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attractor-packed-'));
  file = join(folder, 'a.pack');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Exports = {
  readonly answer: () => number;
  readonly where: unknown;
  readonly other: () => unknown;
  readonly later: () => Promise<{ readonly word: string }>;
};

function open(): Packed<Exports> {
  return openPacked(file, createRequire(file));
}

function write(id: string, answer: number): void {
  const first = `exports.answer = () => ${answer};
exports.where = [__filename, __dirname, __url, require.resolve('node:fs')];
exports.other = () => require('./b.js').other;
exports.later = () => __import(${JSON.stringify(pathToFileURL(join(folder, 'later.mjs')).href)});`;
  const second = `require('./a.js'); globalThis.opened = (globalThis.opened ?? 0) + 1; exports.other = /✗/.test('✗');`;
  const files = { 'a.js': first, 'b.js': second };
  writeFileSync(
    file,
    placed(
      id,
      Object.entries(files).map(([name, text]) => ({ name, bytes: Buffer.from(text) })),
    ),
  );
}

it('runs its first file as require would, another when it is required, and again from the code of the first run', () => {
  write('one', 42);
  const first = open();
  expect(first.run().where).toEqual([file, folder, pathToFileURL(file).href, 'node:fs']);
  expect(Reflect.get(globalThis, 'opened')).toBeUndefined();
  expect([first.run().other(), first.run().other()]).toEqual([true, true]);
  expect(Reflect.get(globalThis, 'opened')).toBe(1);
  Reflect.deleteProperty(globalThis, 'opened');
  expect(first.wasCompiled()).toBe(false);
  writeFileSync(`${file}.code`, first.code());
  const second = open();
  expect(second.run().answer()).toBe(42);
  expect(second.wasCompiled()).toBe(true);
});

it('imports what is known only when it runs', async () => {
  write('one', 42);
  writeFileSync(join(folder, 'later.mjs'), `export const word = 'imported';`);
  expect((await open().run().later()).word).toBe('imported');
});

it('runs no code that was made for another pack, even of the same length', () => {
  write('one', 42);
  const first = open();
  first.run();
  writeFileSync(`${file}.code`, first.code());
  write('two', 43);
  const second = open();
  expect(second.run().answer()).toBe(43);
  expect(second.wasCompiled()).toBe(false);
});

it('goes on as it was when the file is replaced', () => {
  write('one', 42);
  const running = open();
  running.run();
  rmSync(file);
  writeFileSync(file, placed('none', []));
  expect(running.run().other()).toBe(true);
});

it('runs when its code is damaged or empty', () => {
  write('one', 42);
  const made = open();
  made.run();
  const code = Buffer.from(made.code());
  const line = code.subarray(0, code.indexOf('\n') + 1);
  for (const damaged of [Buffer.alloc(0), line, Buffer.concat([line, Buffer.from('no code at all')])]) {
    writeFileSync(`${file}.code`, damaged);
    expect(open().run().answer()).toBe(42);
  }
});

it('gets costly modules of Node that work as the whole ones do', () => {
  const require = costlyWhenUsed(createRequire(file));
  expect(require('node:crypto').createHash('sha256').update('').digest('hex')).toMatch(/^e3b0c442/);
  expect(require('crypto')).toBe(require('node:crypto'));
  expect('randomUUID' in require('crypto')).toBe(true);
  expect(require('node:path')).toBe(createRequire(file)('node:path'));
});
