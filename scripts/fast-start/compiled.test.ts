import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openCompiled, type Compiled } from './compiled.ts';

let folder: string;
let file: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'attractor-compiled-'));
  file = join(folder, 'a.cjs');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function open(): Compiled<unknown> {
  return openCompiled(file, createRequire(file));
}

function source(mark: string, answer: number): string {
  return `//${mark}\nexports.answer = () => ${answer};\nexports.where = [__filename, __dirname, require.resolve('node:fs')];`;
}

it('runs a file as require would, and again from the code of the first run', () => {
  writeFileSync(file, source('one', 42));
  const first = open();
  expect(first.wasCompiled).toBe(false);
  expect(first.run()).toMatchObject({ where: [file, folder, 'node:fs'] });
  writeFileSync(`${file}.code`, first.code());
  const second = open();
  expect(second.wasCompiled).toBe(true);
  expect(Reflect.get(Object(second.run()), 'answer')()).toBe(42);
});

it('runs no code that was made for another source, even of the same length', () => {
  writeFileSync(file, source('one', 42));
  const first = open();
  first.run();
  writeFileSync(`${file}.code`, first.code());
  writeFileSync(file, source('two', 43));
  const second = open();
  expect(second.wasCompiled).toBe(false);
  expect(Reflect.get(Object(second.run()), 'answer')()).toBe(43);
});

it('runs the file when its code is damaged or empty', () => {
  writeFileSync(file, source('one', 42));
  const mark = Buffer.from(open().code()).subarray(0, Buffer.from(open().code()).indexOf('\n') + 1);
  for (const code of [Buffer.alloc(0), mark, Buffer.concat([mark, Buffer.from('no code at all')])]) {
    writeFileSync(`${file}.code`, code);
    expect(Reflect.get(Object(open().run()), 'answer')()).toBe(42);
  }
});
