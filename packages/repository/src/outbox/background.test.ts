import { afterEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '@attractor/store';
import { makeFolder, must } from '@attractor/store/testing';
import { createBackground } from './background.ts';

describe('work in the background', () => {
  afterEach(() => void vi.useRealTimers());

  it('is looked for at once after a commit of ours, and a little later, once, after those of others', async () => {
    const store = must(await openStore({ home: makeFolder() }));
    let tell: Parameters<typeof store.onChange>[0] = () => undefined;
    let looks = 0;
    vi.useFakeTimers();
    const background = createBackground({
      store: { ...store, onChange: (listener) => ((tell = listener), () => undefined) },
      tables: ['outbox'],
      take: async () => ((looks += 1), null),
      work: async () => undefined,
      onUnexpected: (error) => expect.unreachable(String(error)),
    });
    background.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(1);
    tell('us');
    await vi.advanceTimersByTimeAsync(0);
    expect(looks).toBe(2);
    for (let hint = 0; hint < 5; hint += 1) tell('others');
    await vi.advanceTimersByTimeAsync(100);
    expect(looks).toBe(2);
    await vi.advanceTimersByTimeAsync(300);
    expect(looks).toBe(3);
    tell('others');
    await background.close();
    await vi.advanceTimersByTimeAsync(5_000);
    expect(looks).toBe(3);
    await store.close();
  });
});
