import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findProvider } from '@pydantic/genai-prices';
import type { ConditionalPrice, ModelPrice, Tier } from '@pydantic/genai-prices';
import { describe, expect, it } from 'vitest';
import { defined } from '@attractor/base';
import type { CatalogData, LongContextPrices, ModelInfo, ModelPrices, TokenPrices } from './model-info.ts';
import bundled from './models.json' with { type: 'json' };

const data: CatalogData = bundled;

const PRICE_LIST_PROVIDERS: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  gemini: 'google',
};

describe('the bundled model table', () => {
  it('has the prices of the installed price list (after an update: run this file with --update)', async () => {
    const source = priceSource();
    const pricesAsOf = source === data.priceSource ? data.pricesAsOf : new Date().toISOString().slice(0, 10);
    const models = data.models.map((model) => ({ ...model, prices: listedPrices(model) }));
    const file = render({ pricesAsOf, priceSource: source, defaults: data.defaults, models });
    await expect(file).toMatchFileSnapshot('./models.json');
  });

  it('names every model once', () => {
    const names = data.models.flatMap((model) => [model.id, ...model.aliases]);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('has a price, a window and a display name for every model, and only known defaults', () => {
    const lacking = data.models.filter(
      ({ prices, contextWindow, displayName }) =>
        prices[0] === undefined || prices[0].from !== undefined || contextWindow <= 0 || displayName === '',
    );
    expect(lacking.map((model) => model.id)).toEqual([]);
    const ids = data.models.map((model) => model.id);
    expect(ids).toEqual(expect.arrayContaining(Object.values(data.defaults)));
  });
});

function listedPrices(model: ModelInfo): ReadonlyArray<ModelPrices> {
  const provider = findProvider({ providerId: PRICE_LIST_PROVIDERS[model.provider] ?? model.provider });
  const names = new Set([model.id, ...model.aliases]);
  const listed = provider?.models.find((entry) => names.has(entry.id));
  if (listed === undefined) throw new Error(`the price list has no ${model.id}: add one of its ids as alias`);
  const entries: ConditionalPrice[] = Array.isArray(listed.prices) ? listed.prices : [{ prices: listed.prices }];
  return entries.map((entry) => datedPrices(model.id, entry));
}

function datedPrices(id: string, { constraint, prices }: ConditionalPrice): ModelPrices {
  if (constraint !== undefined && constraint.type !== 'start_date')
    throw new Error(`${id}: prices by time of day are not supported`);
  return {
    ...(constraint === undefined ? {} : { from: constraint.start_date }),
    ...tokenPrices(prices, basePrice),
    ...longContext(id, prices),
  };
}

function longContext(id: string, prices: ModelPrice): { readonly longContext?: LongContextPrices } {
  const starts = new Set(Object.values(prices).flatMap((price) => tiersOf(price).map((tier) => tier.start)));
  if (starts.size === 0) return {};
  const [above] = starts;
  if (starts.size > 1 || above === undefined) throw new Error(`${id}: more than one long-context threshold`);
  return { longContext: { above, ...tokenPrices(prices, (price) => tiersOf(price)[0]?.price ?? basePrice(price)) } };
}

type ListedPrice = ModelPrice[string];

function tokenPrices(prices: ModelPrice, read: (price: ListedPrice) => number | undefined): TokenPrices {
  const cacheRead = read(prices['cache_read_mtok']);
  const cacheWrite = read(prices['cache_write_mtok']);
  return {
    input: read(prices['input_mtok']) ?? 0,
    output: read(prices['output_mtok']) ?? 0,
    ...defined({ cacheRead, cacheWrite }),
  };
}

function basePrice(price: ListedPrice): number | undefined {
  return typeof price === 'object' ? price.base : price;
}

function tiersOf(price: ListedPrice): ReadonlyArray<Tier> {
  return typeof price === 'object' ? price.tiers : [];
}

function priceSource(): string {
  const main = createRequire(import.meta.url).resolve('@pydantic/genai-prices');
  const manifest: { version: string } = JSON.parse(readFileSync(join(dirname(main), '..', 'package.json'), 'utf8'));
  return `@pydantic/genai-prices ${manifest.version}`;
}

/** As the formatter writes it: lists of names stay on one line. */
function render(table: CatalogData): string {
  const text = JSON.stringify(table, null, 2);
  return `${text.replaceAll(/\[\s+("[^\]{}]*")\s+\]/g, (_, names: string) => `[${names.replaceAll(/\s*\n\s*/g, ' ')}]`)}\n`;
}
