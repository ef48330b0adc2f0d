import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { redactText } from './redactor.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const read = (pattern: string, exclude: ReadonlyArray<string> = []): ReadonlyArray<string> =>
  globSync(pattern, { cwd: root, exclude: [...exclude] }).map((file) => readFileSync(path.join(root, file), 'utf8'));

/** Numbers that look random and are the same in every run. */
function bytes(seed: number, length: number): Buffer {
  const blocks = Array.from({ length: Math.ceil(length / 64) }, (_, block) =>
    createHash('sha512').update(`${seed}/${block}`).digest(),
  );
  return Buffer.concat(blocks).subarray(0, length);
}

const uuid = (seed: number): string =>
  bytes(seed, 16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

const made = (count: number, line: (seed: number) => string): string =>
  Array.from({ length: count }, (_, seed) => line(seed)).join('\n');

/** Secrets are planted in tests and named in this folder. */
const OWN_SECRETS = ['**/node_modules/**', '**/dist/**', '**/*.test.ts', '**/test-support/**', '**/redact/**'];

const CORPUS: Readonly<Record<string, () => ReadonlyArray<string>>> = {
  'our sources': () => read('packages/*/src/**/*.{ts,tsx,css}', OWN_SECRETS),
  'our documents': () => [...read('**/*.md', ['**/node_modules/**']), ...read('packages/*/package.json')],
  'our scripts and house rules': () => read('{scripts,tests/house}/**/*.{ts,mjs}', OWN_SECRETS),
  'the lockfile': () => read('package-lock.json'),
  licences: () => read('node_modules/*/{LICENSE,LICENSE.md,LICENCE,license}'),
  'documents of others': () => read('node_modules/{zod,kysely,hono,vitest,commander,yaml}/**/*.md'),
  'sources of others': () => read('node_modules/{commander,wouter,tinyglobby,yaml,react}/**/*.{js,d.ts}'),
  hashes: () => [
    made(500, (seed) => `${bytes(seed, 20).toString('hex')}  file-${seed}.txt`),
    made(500, (seed) => `commit ${bytes(seed, 20).toString('hex')} (tag: v1.${seed})`),
    made(500, (seed) => `"integrity": "sha512-${bytes(seed, 64).toString('base64')}",`),
    made(500, (seed) => `${uuid(seed)} ${bytes(seed, 32).toString('hex')}`),
    made(200, (seed) => `index ${bytes(seed, 4).toString('hex')}..${bytes(seed + 1, 4).toString('hex')} 100644`),
  ],
  pictures: () => [
    made(40, (seed) => `![x](data:image/png;base64,${bytes(seed, 6000).toString('base64')})`),
    made(40, (seed) => `@font-face { src: url(data:font/woff2;base64,${bytes(seed, 3000).toString('base64url')}) }`),
    made(400, (seed) => bytes(seed, 57).toString('base64')),
  ],
};

describe('ordinary text', () => {
  it.each(Object.entries(CORPUS))('%s: not a character changes', (_, texts) => {
    const changed = texts().flatMap((text) => {
      const redacted = redactText(text);
      return redacted === text ? [] : changedLines(text, redacted);
    });
    expect(changed).toEqual([]);
  });

  it('is more than ten thousand lines', () => {
    const lines = Object.values(CORPUS).flatMap((texts) => texts().flatMap((text) => text.split('\n')));
    expect(lines.length).toBeGreaterThan(10_000);
  });
});

function changedLines(text: string, redacted: string): ReadonlyArray<string> {
  const before = new Set(text.split('\n'));
  return redacted.split('\n').filter((line) => !before.has(line));
}
