import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '@attractor/store';
import { makeFolder, must } from '@attractor/store/testing';
import { createBackground } from './background.ts';

describe('work in the background', () => {
  afterEach(() => void vi.useRealTimers());

  it('is looked for soon after commits of ours, and a little later after those of others, or while somebody here works on them', async () => {
    const store = must(await openStore({ home: makeFolder() }));
    let tell: Parameters<typeof store.onChange>[0] = () => undefined;
    const state = { looks: 0, isBusy: false };
    vi.useFakeTimers();
    const background = createBackground({
      store: { ...store, onChange: (listener) => ((tell = listener), () => undefined) },
      tables: ['outbox'],
      take: async () => ((state.looks += 1), null),
      work: async () => undefined,
      onUnexpected: (error) => expect.unreachable(String(error)),
      isBusy: () => state.isBusy,
    });
    const tellFive = (by: 'us' | 'others') => {
      for (let hint = 0; hint < 5; hint += 1) tell(by);
    };
    const looksAfter = async (ms: number) => {
      await vi.advanceTimersByTimeAsync(ms);
      return state.looks;
    };
    background.start();
    expect(await looksAfter(0)).toBe(1);
    tellFive('us');
    expect(await looksAfter(30)).toBe(2);
    tellFive('others');
    expect(await looksAfter(100)).toBe(2);
    expect(await looksAfter(200)).toBe(3);
    state.isBusy = true;
    tellFive('us');
    expect(await looksAfter(100)).toBe(3);
    // However long somebody is: what is not theirs must not wait for them.
    expect(await looksAfter(200)).toBe(4);
    tell('others');
    tell('us');
    await background.close();
    expect(await looksAfter(5_000)).toBe(4);
    await store.close();
  });
});
