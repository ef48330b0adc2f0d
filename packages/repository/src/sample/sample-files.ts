import { SAMPLE_FIX } from '@attractor/facts';

/** The sample repository: a small library whose own tests show what it still gets wrong. */
export const SAMPLE_FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'slugs', version: '1.0.0', private: true, type: 'module', scripts: { test: 'node --test' } }, null, 2)}\n`,
  'README.md': `# slugs

Turns a title into the last part of a URL.

    import { slugify } from './src/slugify.js'
    slugify('Hello world') // hello-world
`,
  [SAMPLE_FIX.path]: `/** Turns a title into the last part of a URL. */
export function slugify(title) {
${SAMPLE_FIX.before}
}
`,
  'test/slugify.test.js': `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slugify } from '../src/slugify.js'

test('words are joined by dashes in lower case', () => {
  assert.equal(slugify('Hello world'), 'hello-world')
})

test('accents and punctuation do not reach the URL', () => {
  assert.equal(slugify('Crème brûlée, twice!'), 'creme-brulee-twice')
})

test('no dash is doubled, none leads, none trails', () => {
  assert.equal(slugify('  -- Ready?  Set -- go --'), 'ready-set-go')
})
`,
  '.attractor/config.json': `${JSON.stringify({ checks: { test: { enabled: true, command: 'node --test', severity: 'error', modes: ['implement'] } } }, null, 2)}\n`,
};
