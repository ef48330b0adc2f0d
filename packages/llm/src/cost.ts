import { currentCatalog } from './catalog/catalog.ts';
import type { Catalog } from './catalog/catalog.ts';
import type { ModelPrices, TokenPrices } from './catalog/model-info.ts';
import type { Usage } from './types/usage.ts';

export type CostOptions = {
  readonly catalog?: Catalog;
  /** When the tokens were used; prices change. Now, by default. */
  readonly at?: Date;
};

/**
 * USD for the tokens of one answer; `null` if the model or its prices are unknown, never 0 for "don't know". Cache reads and writes are
 * parts of `inputTokens` and are billed at their own prices. Long-context prices depend on the input of one request: price each answer,
 * then add; don't price a sum.
 */
export function costOf(model: string, usage: Usage, options: CostOptions = {}): number | null {
  const info = (options.catalog ?? currentCatalog()).getModelInfo(model);
  const dated = info && pricesInForce(info.prices, options.at ?? new Date());
  if (dated === undefined) return null;
  return priceTokens(usage, tierFor(dated, usage.inputTokens)) / 1_000_000;
}

function pricesInForce(prices: ReadonlyArray<ModelPrices>, at: Date): ModelPrices | undefined {
  const day = at.toISOString().slice(0, 10);
  return prices.findLast((entry) => entry.from === undefined || entry.from <= day);
}

function tierFor(prices: ModelPrices, inputTokens: number): TokenPrices {
  const long = prices.longContext;
  return long !== undefined && inputTokens > long.above ? long : prices;
}

function priceTokens(usage: Usage, prices: TokenPrices): number {
  const read = usage.cacheReadTokens ?? 0;
  const written = usage.cacheWriteTokens ?? 0;
  const plain = Math.max(0, usage.inputTokens - read - written);
  return (
    plain * prices.input +
    read * (prices.cacheRead ?? prices.input) +
    written * (prices.cacheWrite ?? prices.input) +
    usage.outputTokens * prices.output
  );
}
