import { expect, it } from 'vitest';
import { readProgress, withoutProgress } from './progress.ts';

it('reads how far git is from its newest line, and believes no other side', () => {
  expect(readProgress('remote: Counting objects: 100% (9/9), done.\rReceiving objects:   7% (1/14)\r')).toEqual({
    phase: 'receiving',
    percent: 7,
  });
  expect(readProgress('Receiving objects: 100% (14/14), done.\nResolving deltas:  50% (1/2)\r')).toEqual({
    phase: 'resolving',
    percent: 50,
  });
  expect(readProgress('Updating files: 999% (9/1)\r')).toEqual({ phase: 'writing', percent: 100 });
  expect(readProgress('remote: Receiving objects: 99% (1/1)\r')).toBeNull();
});

it('leaves of what git said only what is no progress', () => {
  const said =
    'remote: Counting objects: 100% (9/9), done.\nReceiving objects:   7%\rReceiving objects:  9%\rfatal: early EOF\nfatal: gone';
  expect(withoutProgress(said)).toBe('fatal: early EOF\nfatal: gone');
});
