import { describe, expect, it } from 'vitest';
import { createRedactor, redactText } from './redactor.ts';

const isLong = process.env['SOAK'] === '1';
/** All of them at full length only where there is time for it. */
const [SIZE, LONG] = isLong ? [10_000_000, 10_000_000] : [100_000, 1_000_000];
/** Quadratic time would be hours; a slow, busy machine needs seconds. */
const DEADLINE_MS = 120_000;

const fill = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size);

function timeOf(piece: string, size: number): number {
  const text = fill(piece, size);
  const start = performance.now();
  redactText(text);
  return performance.now() - start;
}

const HOSTILE: ReadonlyArray<string> = [
  'a',
  ' ',
  '\n',
  '\\',
  '"',
  '=',
  '-',
  'eyJ',
  'eyJ-',
  'eyJabcdefghijk.',
  'sk-',
  'sk-a',
  'ghp_',
  'AKIA',
  'npm_a',
  'xoxb-',
  'SG.',
  'MT',
  'MTabcdefghijklmnopqrstuv.abcdef.',
  ':AA',
  '://',
  'a://b:c@',
  'http://a:',
  '@',
  'postgres://a:b"',
  '-----BEGIN',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----END PRIVATE KEY-----',
  '\n-----END PRIVATE KEY-----',
  'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n',
  'password',
  'password=',
  'password="',
  'password="\\',
  'password: a ',
  'token',
  'token=a ',
  'token = a\n',
  'secret"',
  'a_',
  'a-',
  'login a password ',
  '--password a ',
  '<password>',
  'cookie',
  'cookie=a;',
  'cookie: a=b; ',
  'authorization: ',
  'bearer ',
  'curl -u a:b ',
  'curl -u ',
  '-u ',
  'X_KEY=',
  '_KEY=a',
  'hooks.slack.com/',
  'sig=',
  '[redacted:',
  '[redacted:token]',
  'password=[redacted:',
];

describe('text that looks like the beginnings of secrets, over and over', () => {
  it.each(HOSTILE.map((piece) => [piece]))(
    '%j: takes time that grows with its length only',
    (piece) => {
      expect(timeOf(piece, SIZE)).toBeLessThan(DEADLINE_MS);
    },
    DEADLINE_MS,
  );

  it.each([['eyJ-'], ['-----BEGIN PRIVATE KEY-----\n']])(
    `${LONG} characters of %j as well`,
    (piece) => {
      expect(timeOf(piece, LONG)).toBeLessThan(DEADLINE_MS);
    },
    DEADLINE_MS,
  );

  it(
    `${LONG} characters of a known secret that never ends as well`,
    () => {
      const { text } = createRedactor({ secrets: [`${'ab'.repeat(40)}C1`] });
      const start = performance.now();
      text(fill('ab', LONG));
      expect(performance.now() - start).toBeLessThan(DEADLINE_MS);
    },
    DEADLINE_MS,
  );
});
