import { expect, it, onTestFinished, vi } from 'vitest';
import { showWork } from './show-work.ts';

/** What stderr gets from work of three seconds that tells once how far it is. */
async function shownOf({ isTTY, isShown }: { readonly isTTY: boolean; readonly isShown: boolean }): Promise<string> {
  vi.useFakeTimers();
  vi.stubEnv('TERM', 'xterm');
  let text = '';
  const { isTTY: before } = process.stderr;
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((piece) => Boolean((text += String(piece))));
  Object.defineProperty(process.stderr, 'isTTY', { value: isTTY, configurable: true });
  onTestFinished(() => {
    Object.defineProperty(process.stderr, 'isTTY', { value: before, configurable: true });
    write.mockRestore();
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  const value = await showWork({ doing: 'merging ATT-12', isShown }, async (tell) => {
    await vi.advanceTimersByTimeAsync(2_000);
    tell('check \u001b[2J passes');
    await vi.advanceTimersByTimeAsync(1_000);
    return 'merged';
  });
  expect(value).toBe('merged');
  return text;
}

it('says on a terminal what is done, for how long and how far, and leaves the line at the end', async () => {
  const gone = '\r\u001b[2K';
  expect(await shownOf({ isTTY: true, isShown: true })).toBe(
    `1 s · merging ATT-12${gone}2 s · merging ATT-12${gone}3 s · merging ATT-12 · check \\u{1b}[2J passes${gone}`,
  );
});

it.each([
  ['no terminal looks on', { isTTY: false, isShown: true }],
  ['a script reads the answer', { isTTY: true, isShown: false }],
] as const)('says nothing where %s', async (_, where) => {
  expect(await shownOf(where)).toBe('');
});
