import { describe, expect, it } from 'vitest';
import { detectLoop, type CallSignature } from './loop-detection.ts';

const calls = (text: string): CallSignature[] =>
  Array.from(text, (name) => ({ toolName: name, args: { x: 1, y: { b: 1, a: 2 } } }));

describe('detectLoop', () => {
  it.each([
    ['aaaa', false],
    ['aaaaa', true],
    ['baaaaa', true],
    ['aaaaab', false],
    ['abab', false],
    ['ababab', true],
    ['abcabc', false],
    ['abcabcabc', true],
    ['xabcabcabc', true],
    ['abcabcab', false],
    ['abcdabcdabcd', false],
    ['', false],
  ])('says of %s: %s', (text, expected) => {
    expect(detectLoop(calls(text))).toBe(expected);
  });

  it('takes arguments in any order of keys for the same, and other arguments for another call', () => {
    const a = { toolName: 'a', args: { x: 1, y: { b: 1, a: 2 } } };
    const b = { toolName: 'a', args: { y: { a: 2, b: 1 }, x: 1 } };
    expect(detectLoop([a, b, a, b, a])).toBe(true);
    expect(detectLoop([0, 1, 2, 3, 4].map((x) => ({ toolName: 'a', args: { x } })))).toBe(false);
  });

  it('looks at no more than the window, and at nothing when it is 0', () => {
    expect(detectLoop(calls('aaaaa'), 4)).toBe(false);
    expect(detectLoop(calls('abcabcabc'), 8)).toBe(false);
    expect(detectLoop(calls('aaaaaaaaaa'), 0)).toBe(false);
  });
});
