/**
 * What is known about one model. Advisory: a model that is not listed still works, with unknown cost and window. Prices are USD per million
 * tokens. The last entry whose `from` has passed is in force; the first has no `from`. A missing cache price means that the provider bills
 * those tokens as plain input.
 */
export type ModelInfo = {
  readonly id: string;
  readonly provider: string;
  readonly displayName: string;
  readonly contextWindow: number;
  readonly maxOutput?: number | undefined;
  readonly supportsTools: boolean;
  readonly supportsVision: boolean;
  readonly supportsReasoning: boolean;
  readonly aliases: ReadonlyArray<string>;
  readonly prices: ReadonlyArray<ModelPrices>;
};

export type TokenPrices = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead?: number | undefined;
  readonly cacheWrite?: number | undefined;
};

export type ModelPrices = TokenPrices & {
  /** The day, `YYYY-MM-DD` in UTC, from which these prices apply. */
  readonly from?: string | undefined;
  /** Prices of the whole request once its input exceeds `above` tokens. */
  readonly longContext?: LongContextPrices | undefined;
};

export type LongContextPrices = TokenPrices & { readonly above: number };

export type ModelCapability = 'tools' | 'vision' | 'reasoning';

/** The stored table: within one provider, newest models first. */
export type CatalogData = {
  readonly pricesAsOf: string;
  readonly priceSource: string;
  readonly defaults: Readonly<Record<string, string>>;
  readonly models: ReadonlyArray<ModelInfo>;
};
