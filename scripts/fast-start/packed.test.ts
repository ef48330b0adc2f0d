import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { costlyWhenUsed } from './costly-when-used.ts';
import { pack } from './pack.mjs';
import { type Packed, openPacked } from './packed.ts';
import { openPlaces, placed } from './places.mjs';

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

it('tells the time as `performance.now` does, without what else Node can measure', async () => {
  const text = `exports.now = __now;`;
  writeFileSync(file, placed('one', [{ name: 'a.js', bytes: Buffer.from(text) }]));
  const { now } = openPacked<{ readonly now: () => number }>(file, createRequire(file)).run();
  const outer = performance.now();
  const first = now();
  const inner = performance.now();
  await new Promise((resolve) => setTimeout(resolve, 20));
  const least = performance.now() - inner;
  const passed = now() - first;
  expect(passed).toBeGreaterThan(least - 0.1);
  expect(passed).toBeLessThan(performance.now() - outer + 0.1);
  const script = `const { openProgram } = await import(${JSON.stringify(join(import.meta.dirname, 'front.ts'))});
openProgram(${JSON.stringify(file)}).run().now();
console.log(process.moduleLoadList.includes('NativeModule perf_hooks'));`;
  expect(spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }).stdout).toBe(
    'false\n',
  );
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
  expect(require('node:util')).toBe(createRequire(file)('node:util'));
  expect([require('path').join('a', 'b'), Object.keys(require('node:path'))]).toEqual(['a/b', []]);
});

it('loads no costly module because esbuild copies it', () => {
  const script = `const { costlyWhenUsed } = await import(${JSON.stringify(join(import.meta.dirname, 'costly-when-used.ts'))});
const { createRequire } = await import('node:module');
const zlib = costlyWhenUsed(createRequire('/'))('node:zlib');
const loaded = () => process.moduleLoadList.includes('NativeModule zlib');
console.log(zlib.__esModule, Object.keys(zlib).length, loaded(), typeof zlib.crc32, loaded());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stdout).toBe('undefined 0 false function true\n');
});

it('joins what a start needs into one piece, and hands its files out to those that are imported later, each as one object', async () => {
  const files = {
    'main.js': `import{add as a,seen}from"./chunk-A.js";const main=async()=>{a("main");(await import("./one-B.js")).run();(await import("./two-C.js")).run();a(await import("./one-B.js")===await import("./one-B.js"));(await import("./chunk-A.js")).add("own");return seen};export{main};`,
    'chunk-A.js': `var seen=[];var add=(text)=>seen.push(text);export{add,seen};`,
    'one-B.js': `import{add}from"./chunk-A.js";import{next}from"./chunk-D.js";const run=()=>add("one "+next());export{run};`,
    'two-C.js': `import{add}from"./chunk-A.js";import{next}from"./chunk-D.js";const run=()=>add("two "+next());export{run};`,
    'chunk-D.js': `var count=0;var next=()=>++count;export{next};`,
  };
  const { text } = await pack(
    'main',
    Object.entries(files).map(([name, one]) => ({ name, text: one })),
  );
  writeFileSync(file, text);
  expect(openPlaces(file).names).toEqual(['main.js', 'one-B.js', 'two-C.js', 'chunk-D.js']);
  const { main } = openPacked<{ readonly main: () => Promise<unknown> }>(file, createRequire(file)).run();
  expect(await main()).toEqual(['main', 'one 1', 'two 2', true, 'own']);
});
