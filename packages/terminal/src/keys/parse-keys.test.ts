import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chordOf, type KeyEvent } from './key.ts';
import { createKeyParser } from './parse-keys.ts';

const PIECES = [
  'a',
  'é',
  '漢',
  '👍🏽',
  '\r',
  '\n',
  '\t',
  '\u007f',
  '\u0003',
  '\u001b[A',
  '\u001b[1;5C',
  '\u001b[3~',
  '\u001bOP',
  '\u001bb',
  '\u001b[13;2u',
  '\u001b[97;5u',
  '\u001b[27;2;13~',
  '\u001b[?1u',
  '\u001b]11;rgb:0000/0000/0000\u001b\\',
  '\u001b]11;rgb:ffff/ffff/ffff\u0007',
  '\u001b[200~two\r\nlines\u001b[31m\u001b[201~',
  '\u001b[57444u',
  '\u001b[1;1:3A',
];

function eventsOf(pieces: ReadonlyArray<string>): ReadonlyArray<KeyEvent> {
  const parser = createKeyParser();
  return [...pieces.flatMap((piece) => parser.feed(piece)), ...parser.flush()];
}

function namesOf(text: string): ReadonlyArray<string> {
  return eventsOf([text]).map((event) => (event.type === 'key' ? chordOf(event) : `${event.type}:${event.text}`));
}

describe('keys of a terminal', () => {
  it('are the same however the input is split', () => {
    const input = fc.array(fc.constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(input, fc.array(fc.nat(200), { maxLength: 8 }), (text, cuts) => {
        const places = [...new Set(cuts.map((cut) => Math.min(cut, text.length)))].toSorted((a, b) => a - b);
        const pieces = [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
        expect(eventsOf(pieces)).toEqual(eventsOf([text]));
        expect(eventsOf(text.split(''))).toEqual(eventsOf([text]));
      }),
    );
  });

  it('have one name whichever way a terminal reports them', () => {
    expect(namesOf('\u001b[13;2u')).toEqual(['shift+enter']);
    expect(namesOf('\u001b[27;2;13~')).toEqual(['shift+enter']);
    expect(namesOf('\u001b\r')).toEqual(['alt+enter']);
    expect(namesOf('\u0003')).toEqual(['ctrl+c']);
    expect(namesOf('\u001b[99;5u')).toEqual(['ctrl+c']);
    expect(namesOf('\u001b[1;5D')).toEqual(['ctrl+left']);
    expect(namesOf('\u001b\u001b[D')).toEqual(['alt+left']);
    expect(namesOf('\u001bb')).toEqual(['alt+b']);
    expect(namesOf('\u001b[Z')).toEqual(['shift+tab']);
    expect(namesOf('\u001b')).toEqual(['escape']);
    expect(namesOf('\u001b\u001b')).toEqual(['escape', 'escape']);
  });

  it('are never typed text if the terminal sent them by itself', () => {
    expect(namesOf('\u001b[?62;4c')).toEqual(['reply:?62;4c']);
    expect(namesOf('\u001b]11;rgb:1/2/3\u0007x')).toEqual(['reply:]11;rgb:1/2/3', 'x']);
    expect(namesOf('\u001b[200~a\rb\u001b[201~')).toEqual(['paste:a\nb']);
    expect(namesOf('\u001b[1;2;3;4y')).toEqual([]);
  });

  it('come out of a paste whose end never arrives', () => {
    const parser = createKeyParser();
    expect(parser.feed('\u001b[200~half')).toEqual([]);
    expect(parser.waiting()).toBe('paste');
    expect(parser.flush()).toEqual([{ type: 'paste', text: 'half' }]);
    expect(parser.feed('x')).toMatchObject([{ name: 'x' }]);
  });
});
