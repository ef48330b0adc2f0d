/**
 * Tokens of one answer. `inputTokens` counts all input, cached or not; cache reads and writes are parts of it.
 * `outputTokens` includes `reasoningTokens`. Absent means that the provider did not report it.
 */
export type Usage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly reasoningTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
};

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };

/** Sums; an optional count stays absent only when both sides lack it. */
export function addUsage(a: Usage, b: Usage): Usage {
  return {
    inputTokens: a.inputTokens + b.inputTokens,
    outputTokens: a.outputTokens + b.outputTokens,
    totalTokens: a.totalTokens + b.totalTokens,
    ...optionalSum('reasoningTokens', a, b),
    ...optionalSum('cacheReadTokens', a, b),
    ...optionalSum('cacheWriteTokens', a, b),
  };
}

type OptionalCount = 'reasoningTokens' | 'cacheReadTokens' | 'cacheWriteTokens';

function optionalSum(key: OptionalCount, a: Usage, b: Usage): Partial<Usage> {
  if (a[key] === undefined && b[key] === undefined) return {};
  return { [key]: (a[key] ?? 0) + (b[key] ?? 0) };
}
