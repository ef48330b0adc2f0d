/**
 * How fast secrets are removed from large texts, from the small events of a session, and from deltas; compared with a bare walk over the
 * text.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRedactor, type Redactor, redactStream } from '@attractor/redact';

const ROUNDS = 7;
const MEGABYTES = 4;

const root = join(import.meta.dirname, '../..');
const secrets = Array.from({ length: 20 }, (_, index) => createHash('sha256').update(`${index}`).digest('base64'));
const redactors: ReadonlyArray<readonly [string, Redactor]> = [
  ['redactor', createRedactor()],
  ['redactor that knows 20 secrets', createRedactor({ secrets })],
];

const source = globSync('packages/*/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts', '**/redact/**'] })
  .map((file) => readFileSync(join(root, file), 'utf8'))
  .join('\n');

const TEXTS: Readonly<Record<string, string>> = {
  'source code': source,
  lockfile: readFileSync(join(root, 'package-lock.json'), 'utf8'),
  prose: 'The quick brown fox jumps over the lazy dog, and nobody minds at all. ',
  'a secret every 200 characters': `${'some text '.repeat(16)}token: ghp_${'a1B2'.repeat(9)}\n`,
};

const results = Object.entries(TEXTS).flatMap(([what, text]) => {
  const large = text.repeat(Math.ceil((MEGABYTES << 20) / text.length)).slice(0, MEGABYTES << 20);
  const speed = (ms: number): string => `${(large.length / 1000 / ms).toFixed(0)} MB/s`;
  return [
    { what, who: 'a bare walk', result: speed(best(() => void walk(large))) },
    ...redactors.map(([who, { text: redact }]) => ({ what, who, result: speed(best(() => void redact(large))) })),
  ];
});

const EVENTS = 10_000;
const event = {
  kind: 'TOOL_CALL_END',
  toolCallId: 'call_1',
  toolName: 'read_file',
  output: source.slice(0, 2000),
  isError: false,
};
for (const [who, redactor] of redactors) {
  const each = best(() => {
    for (let index = 0; index < EVENTS; index++) redactor.value(event);
  });
  results.push({ what: 'an event of 2 KB', who, result: `${((each * 1000) / EVENTS).toFixed(1)} µs` });
  const deltas = source.slice(0, EVENTS * 12).match(/[^]{1,12}/g) ?? [];
  const streamed = best(() => {
    const stream = redactStream(redactor);
    for (const delta of deltas) stream.push(delta);
    stream.end();
  });
  results.push({
    what: 'a delta of 12 characters',
    who,
    result: `${((streamed * 1000) / deltas.length).toFixed(1)} µs`,
  });
}

console.table(results);
console.log(JSON.stringify({ bench: 'redact', results }));

/** The minimum cost of looking at every character. */
function walk(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum = (sum + text.charCodeAt(index)) | 0;
  return sum;
}

/** The best of several rounds: other work on the machine can only make it slower. */
function best(work: () => void): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const start = performance.now();
    work();
    return performance.now() - start;
  });
  return Math.min(...times);
}
