import { expect, it } from 'vitest';
import type { ProviderInfo } from '../server-parts.ts';
import { emptyRunView, type RunView } from '../views/run.ts';
import { contextUse } from './context-use.ts';

const SERVICE = { models: [{ id: 'large-1', aliases: ['large'], contextWindow: 200_000 }] } as unknown as ProviderInfo;

const turn = (inputTokens: number | null) => ({
  spent: inputTokens === null ? null : { inputTokens, outputTokens: 500 },
});
const viewOf = (model: string, ...turns: ReadonlyArray<object>) =>
  ({ ...emptyRunView('run_1'), run: { model }, turns }) as unknown as RunView;

it('tells what the last request held, of models whose window is known', () => {
  const turns = [turn(10_000), turn(49_500), turn(null)];
  expect(contextUse(viewOf('large-1', ...turns), [SERVICE])).toEqual({ used: 50_000, window: 200_000 });
  expect(contextUse(viewOf('large', ...turns), [SERVICE])).toEqual({ used: 50_000, window: 200_000 });
  expect(contextUse(viewOf('other', ...turns), [SERVICE])).toBeNull();
  expect(contextUse(viewOf('large-1', turn(null)), [SERVICE])).toBeNull();
  // More than fits is a sum over many requests.
  expect(contextUse(viewOf('large-1', turn(900_000)), [SERVICE])).toBeNull();
});
