import { defined, isRecord } from '@attractor/base';
import type { ModelPrices, TokenPrices } from './model-info.ts';
import type { CatalogOverrides, ModelOverride } from './overrides.ts';

export type ReadTable =
  | { readonly ok: true; readonly table: CatalogOverrides }
  | { readonly ok: false; readonly problem: string };

/**
 * A table of models that somebody else wrote, in one of two forms:
 *
 *   ours        { "models": [{ "id", "provider", "contextWindow", "maxOutput", "prices": [{ "input", "output", "cacheRead", … }], … }], "defaults"? }
 *   models.dev  { "anthropic": { "models": { "claude-…": { "limit": { "context" }, "cost": { "input", "output" }, … } } }, … }
 *
 * Every row is read or the table is refused with the place of the first mistake. Unknown fields of ours are a mistake; of theirs they are not.
 */
export function readTable(value: unknown): ReadTable {
  if (!isRecord(value)) return { ok: false, problem: `expected a JSON object, not ${shapeOf(value)}` };
  try {
    return { ok: true, table: Array.isArray(value['models']) ? ownTable(value) : foreignTable(value) };
  } catch (error) {
    if (error instanceof Mistake) return { ok: false, problem: error.message };
    throw error;
  }
}

class Mistake extends Error {}

type Fields = Readonly<Record<string, unknown>>;

function ownTable(value: Fields): CatalogOverrides {
  const rows: ReadonlyArray<unknown> = Array.isArray(value['models']) ? value['models'] : [];
  const models = rows.map((row, at) => ownRow(objectAt(row, `models[${at}]`), at));
  if (models.length === 0) throw new Mistake('it names no models');
  const given = value['defaults'];
  const defaults = given === undefined ? undefined : textsAt(objectAt(given, 'defaults'), 'defaults');
  return { models, ...defined({ defaults }) };
}

const FLAGS = ['supportsTools', 'supportsVision', 'supportsReasoning'] as const;
const KNOWN = new Set(['id', 'provider', 'displayName', 'contextWindow', 'maxOutput', 'aliases', 'prices', ...FLAGS]);

function ownRow(row: Fields, at: number): ModelOverride {
  const id = textAt(row, 'id', `models[${at}]`);
  const where = `models[${at}] (${id})`;
  const unknown = Object.keys(row).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw new Mistake(`${where}: unknown field "${unknown}"`);
  const { provider, displayName, contextWindow, maxOutput, aliases, prices } = row;
  if (aliases !== undefined && !(Array.isArray(aliases) && aliases.every((one) => typeof one === 'string')))
    throw new Mistake(`${where}: aliases must be a list of names`);
  if (prices !== undefined && !Array.isArray(prices)) throw new Mistake(`${where}: prices must be a list`);
  const names: ReadonlyArray<string> | undefined = aliases;
  return {
    id,
    ...(provider === undefined ? {} : { provider: textAt(row, 'provider', where) }),
    ...(displayName === undefined ? {} : { displayName: textAt(row, 'displayName', where) }),
    ...(contextWindow === undefined ? {} : { contextWindow: tokensAt(row, 'contextWindow', where) }),
    ...(maxOutput === undefined ? {} : { maxOutput: tokensAt(row, 'maxOutput', where) }),
    ...flagsOf(row, where),
    ...defined({ aliases: names }),
    ...(prices === undefined
      ? {}
      : { prices: prices.map((one, place) => pricesAt(one, `${where}: prices[${place}]`)) }),
  };
}

function flagsOf(row: Fields, where: string): Partial<Record<(typeof FLAGS)[number], boolean>> {
  return Object.fromEntries(
    FLAGS.flatMap((flag) => {
      const value = row[flag];
      if (value !== undefined && typeof value !== 'boolean')
        throw new Mistake(`${where}: ${flag} must be true or false`);
      return value === undefined ? [] : [[flag, value]];
    }),
  );
}

function pricesAt(value: unknown, where: string): ModelPrices {
  const row = objectAt(value, where);
  const { from, longContext } = row;
  if (from !== undefined && !(typeof from === 'string' && /^\d{4}-\d\d-\d\d$/.test(from)))
    throw new Mistake(`${where}: from must be a day such as 2026-01-31`);
  const day = typeof from === 'string' ? from : undefined;
  const long = longContext === undefined ? undefined : objectAt(longContext, `${where}.longContext`);
  return {
    ...tokenPrices(row, where),
    ...defined({ from: day }),
    ...(long === undefined
      ? {}
      : { longContext: { ...tokenPrices(long, `${where}.longContext`), above: tokensAt(long, 'above', where) } }),
  };
}

function tokenPrices(row: Fields, where: string): TokenPrices {
  const read = (name: string): number | undefined => (row[name] === undefined ? undefined : priceAt(row, name, where));
  return {
    input: priceAt(row, 'input', where),
    output: priceAt(row, 'output', where),
    ...defined({ cacheRead: read('cacheRead'), cacheWrite: read('cacheWrite') }),
  };
}

/** Their names of the services that are called otherwise here. A cloud's rows are its maker's, with the same names. */
const SERVICES: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gemini',
  openrouter: 'openrouter',
  groq: 'groq',
  deepseek: 'deepseek',
  mistral: 'mistral',
  xai: 'xai',
  cerebras: 'cerebras',
  zai: 'zai',
  moonshotai: 'moonshot',
  togetherai: 'together',
  'fireworks-ai': 'fireworks',
};

function foreignTable(value: Fields): CatalogOverrides {
  const rows = Object.entries(SERVICES).flatMap(([theirs, provider]) => {
    const service = value[theirs];
    const models = isRecord(service) && isRecord(service['models']) ? service['models'] : {};
    return Object.entries(models).map(([id, row]) => ({ id, provider, row: objectAt(row, `${theirs}.models.${id}`) }));
  });
  if (rows.length === 0)
    throw new Mistake('it is no table of models: expected "models", a list, or services with their models by name');
  const dated = rows.toSorted((a, b) => String(a.row['release_date']).localeCompare(String(b.row['release_date'])));
  const seen = new Set<string>();
  return { models: dated.flatMap((one) => (seen.has(one.id) ? [] : seen.add(one.id) && [foreignRow(one)])) };
}

type ForeignRow = { readonly id: string; readonly provider: string; readonly row: Fields };

function foreignRow({ id, provider, row }: ForeignRow): ModelOverride {
  const limit = isRecord(row['limit']) ? row['limit'] : {};
  const cost = isRecord(row['cost']) ? row['cost'] : undefined;
  const inputs = isRecord(row['modalities']) ? row['modalities']['input'] : undefined;
  const { name, tool_call: tools, reasoning } = row;
  return {
    id,
    provider,
    ...(typeof name === 'string' ? { displayName: name } : {}),
    ...(limit['context'] === undefined ? {} : { contextWindow: tokensAt(limit, 'context', id) }),
    ...(limit['output'] === undefined ? {} : { maxOutput: tokensAt(limit, 'output', id) }),
    ...(typeof tools === 'boolean' ? { supportsTools: tools } : {}),
    ...(typeof reasoning === 'boolean' ? { supportsReasoning: reasoning } : {}),
    ...(Array.isArray(inputs) ? { supportsVision: inputs.includes('image') } : {}),
    ...(cost === undefined ? {} : { prices: [foreignPrices(cost, id)] }),
  };
}

function foreignPrices(cost: Fields, id: string): ModelPrices {
  const read = (name: string): number | undefined => (cost[name] === undefined ? undefined : priceAt(cost, name, id));
  return {
    input: priceAt(cost, 'input', id),
    output: priceAt(cost, 'output', id),
    ...defined({ cacheRead: read('cache_read'), cacheWrite: read('cache_write') }),
  };
}

function objectAt(value: unknown, where: string): Fields {
  if (isRecord(value)) return value;
  throw new Mistake(`${where} must be an object, not ${shapeOf(value)}`);
}

function textAt(row: Fields, name: string, where: string): string {
  const value = row[name];
  if (typeof value === 'string' && value.trim() !== '') return value;
  throw new Mistake(`${where}: ${name} must be a text`);
}

function textsAt(row: Fields, where: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.keys(row).map((name) => [name, textAt(row, name, where)]));
}

function tokensAt(row: Fields, name: string, where: string): number {
  const value = row[name];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new Mistake(`${where}: ${name} must be a number of tokens`);
}

function priceAt(row: Fields, name: string, where: string): number {
  const value = row[name];
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
  throw new Mistake(`${where}: ${name} must be a price in dollars for a million tokens`);
}

function shapeOf(value: unknown): string {
  return Array.isArray(value) ? 'a list' : value === null ? 'null' : `a ${typeof value}`;
}
