import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactStream } from './redact-stream.ts';
import { createRedactor } from './redactor.ts';
import { ALL_KINDS, anyPlanted, runs } from './test-support/planted-secrets.ts';

const secret = 'h0st-Knows/this+value';
const redactor = createRedactor({ secrets: [secret] });

/** What a reader sees of the text when it comes in these pieces. */
function streamed(pieces: ReadonlyArray<string>): ReadonlyArray<string> {
  const stream = redactStream(redactor);
  return [...pieces.map(stream.push), stream.end()];
}

function cutAt(text: string, places: ReadonlyArray<number>): ReadonlyArray<string> {
  const cuts = [0, ...places.map((place) => place % (text.length + 1)).toSorted((a, b) => a - b), text.length];
  return cuts.slice(1).map((cut, index) => text.slice(cuts[index], cut));
}

/** A cut-off end of a key is known by what follows it, when it was shown already. */
const streamable = Object.entries(ALL_KINDS);

describe('a secret that comes in pieces', () => {
  it.each(streamable)('%s: shows in none of them, wherever it is cut', (_, planted) => {
    fc.assert(
      fc.property(planted, fc.array(fc.nat(), { maxLength: 12 }), ({ secret: gone, text }, places) => {
        const shown = streamed(cutAt(`Look:\n${text}\nThat was it.`, places)).join('');
        expect(shown).not.toContain(gone);
        expect(shown.startsWith('Look:\n')).toBe(true);
        expect(shown.endsWith('\nThat was it.')).toBe(true);
      }),
      { numRuns: runs(30) },
    );
  });

  it('shows in none of them when they are single characters, and leaves the same as at once', () => {
    fc.assert(
      fc.property(anyPlanted, ({ secret: gone, text }) => {
        const shown = streamed(`a\n${text}\nb`.split('')).join('');
        expect(shown).not.toContain(gone);
        expect(shown).toBe(redactor.text(`a\n${text}\nb`));
      }),
      { numRuns: runs(100) },
    );
  });

  it('is known by its exact value as well', () => {
    for (let cut = 0; cut <= secret.length; cut++) {
      const shown = streamed([`x ${secret.slice(0, cut)}`, `${secret.slice(cut)} y`]).join('');
      expect(shown).toMatch(/^x h?\[redacted:known-secret\] y$/);
    }
  });

  it('does not show when it never ends', () => {
    for (const begin of ['sk-ant-api03-', 'password=', '-----BEGIN PRIVATE KEY-----\n', 'eyJhbGciOiJI.eyJ']) {
      const stream = redactStream(redactor);
      let shown = stream.push(`see ${begin}`);
      for (let piece = 0; piece < 200; piece++) shown += stream.push('Ab1Cd2Ef3'.repeat(40));
      shown += stream.push(begin.startsWith('-') ? '\n-----END PRIVATE KEY-----\nafter' : ' after');
      shown += stream.end();
      expect(shown).not.toContain('Ab1Cd2Ef3Ab1');
      expect(shown).toContain('see ');
      expect(shown).toContain('after');
    }
  });
});

describe('other text that comes in pieces', () => {
  it('is the same in the end, and no piece waits for long', () => {
    fc.assert(
      fc.property(fc.array(fc.lorem()), (words) => {
        const pieces = words.map((word) => `${word} `);
        const stream = redactStream(redactor);
        let shown = '';
        let given = '';
        for (const piece of pieces) {
          given += piece;
          shown += stream.push(piece);
          expect(given.length - shown.length).toBeLessThan(16);
        }
        expect(shown + stream.end()).toBe(given);
      }),
      { numRuns: runs(100) },
    );
  });

  it('waits while it may still become a secret, and comes as soon as it can not', () => {
    const stream = redactStream(redactor);
    expect(stream.push('the token: ')).toBe('the token: ');
    expect(stream.push('abc')).toBe('');
    expect(stream.push('def and')).toBe('abcdef and');
    expect(stream.push(' gh')).toBe(' ');
    expect(stream.push('ost')).toBe('ghost');
    expect(stream.end()).toBe('');
  });
});
