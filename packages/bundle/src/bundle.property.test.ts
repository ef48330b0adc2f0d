import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { anyCharacter } from '@attractor/base/testing/any-character';
import { expect, it } from 'vitest';
import type { BundleHeader, BundlePart } from './format.ts';
import { openBundle } from './read-bundle.ts';
import { bundleBytes } from './write-bundle.ts';

const HEADER: BundleHeader = { attractor: 'run', v: 1, runId: 'run_1', madeAt: '2026-01-01', isFinished: true };

const hostile = fc.string({ unit: anyCharacter() });
const value = fc.dictionary(hostile, fc.jsonValue());
const part: fc.Arbitrary<unknown> = fc.oneof(
  fc.record({ part: fc.constant('usage'), value }),
  fc.record({ part: fc.constant('missing'), text: hostile }),
  fc.record({ part: fc.constant('patch'), of: fc.constant('whole'), text: hostile }),
  fc.record({
    part: fc.constant('event'),
    value: fc.record({ type: hostile, at: hostile, summary: hostile, seq: fc.nat(), data: value }),
  }),
);

it('gives back what was written, and nothing of a file that was cut, changed or written by somebody else', async () => {
  const file = join(newFolder(), 'run.jsonl.gz');
  await fc.assert(
    fc.asyncProperty(fc.array(part, { maxLength: 20 }), fc.nat(), fc.nat(255), async (given, where, change) => {
      const parts = JSON.parse(JSON.stringify(given)) as ReadonlyArray<BundlePart>;
      const bytes = await bytesOf(HEADER, parts);
      writeFileSync(file, bytes);
      expect(await read(file)).toEqual({ header: HEADER, parts });

      writeFileSync(file, bytes.subarray(0, where % bytes.length));
      expect(await read(file)).toMatch(/damaged or was cut off|not a run bundle/);

      const lines = gunzipSync(bytes);
      lines[where % lines.length] = (lines[where % lines.length] ?? 0) ^ (change || 1);
      writeFileSync(file, gzipSync(lines));
      expect(await read(file)).toMatch(/damaged or was cut off|not a run bundle|newer/);
    }),
    { numRuns: process.env['SOAK'] === undefined ? 40 : 2000 },
  );
});

it.each([
  ['a text', Buffer.from('hello\n'), 'is not a run bundle'],
  ['another gzip file', gzipSync('{"a":1}\n'), 'is not a run bundle'],
  ['an empty file', Buffer.alloc(0), 'damaged or was cut off'],
])('says in one line what %s is not', async (_, bytes, says) => {
  const file = join(newFolder(), 'other');
  writeFileSync(file, bytes);
  expect(await read(file)).toContain(says);
});

it('names a later format, leaves out parts that it does not know, and misses a missing file', async () => {
  const file = join(newFolder(), 'run.jsonl.gz');
  writeFileSync(file, await bytesOf({ ...HEADER, v: 2 }, []));
  expect(await read(file)).toContain('newer attractor (format 2');
  const later = [
    { part: 'weather', value: 'rain' },
    { part: 'missing', text: 'sun' },
  ] as unknown as BundlePart[];
  writeFileSync(file, await bytesOf(HEADER, later));
  expect(await read(file)).toEqual({ header: HEADER, parts: [{ part: 'missing', text: 'sun' }] });
  expect(await read(`${file}.none`)).toContain('There is no file');
});

async function bytesOf(header: BundleHeader, parts: ReadonlyArray<BundlePart>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bundleBytes(header, parts)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function read(file: string) {
  const opened = await openBundle(file);
  if (!opened.ok) return opened.error.message;
  const parts: BundlePart[] = [];
  for await (const one of opened.value.parts()) parts.push(one);
  return { header: opened.value.header, parts };
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'bundle-'));
}
