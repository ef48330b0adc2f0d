import type { CatalogData, ModelCapability, ModelInfo } from './model-info.ts';
import { catalogSource } from './own-source.ts';
import type { CatalogOverrides, ModelOverride } from './overrides.ts';
import bundled from './models.json' with { type: 'json' };

/** A read-only view of the model table, perhaps with a user's own rows. */
export type Catalog = {
  readonly pricesAsOf: string;
  /** By id, alias, or either with a date or `latest` at its end. */
  readonly getModelInfo: (id: string) => ModelInfo | undefined;
  readonly listModels: (provider?: string) => ReadonlyArray<ModelInfo>;
  readonly getLatestModel: (provider: string, capability?: ModelCapability) => ModelInfo | undefined;
  readonly defaultModel: (provider: string) => string | undefined;
};

/** The bundled table with the given rows on top; the bundled table itself never changes. */
export function withOverrides(overrides: CatalogOverrides): Catalog {
  const data: CatalogData = bundled;
  return catalogOf({
    ...data,
    defaults: { ...data.defaults, ...overrides.defaults },
    models: (overrides.models ?? []).reduce(applyOverride, data.models),
  });
}

/** What is known about a model, found by its id or an alias; undefined if the table has no such row. */
export function getModelInfo(id: string): ModelInfo | undefined {
  return currentCatalog().getModelInfo(id);
}

/** All known models, or those of one provider. */
export function listModels(provider?: string): ReadonlyArray<ModelInfo> {
  return currentCatalog().listModels(provider);
}

/** The newest model of a provider that has the given capability. */
export function getLatestModel(provider: string, capability?: ModelCapability): ModelInfo | undefined {
  return currentCatalog().getLatestModel(provider, capability);
}

/** The model used if a person named only the provider; absent if the service decides which models exist. */
export function defaultModel(provider: string): string | undefined {
  return currentCatalog().defaultModel(provider);
}

const FAMILIES: Readonly<Record<string, string>> = {
  opus: 'opus',
  opusplan: 'opus',
  best: 'opus',
  sonnet: 'sonnet',
  haiku: 'haiku',
  fable: 'fable',
};

/**
 * The model behind the short name that other agents' files and flags give it: `sonnet` is the newest of its family. Any other name is a
 * model's own. A mark for the size of the window (`sonnet[1m]`) is not part of a name.
 */
export function modelNamed(name: string): string {
  const bare = name.trim().replace(/\[\w+\]$/, '');
  const family = Object.hasOwn(FAMILIES, bare.toLowerCase()) ? FAMILIES[bare.toLowerCase()] : undefined;
  if (family === undefined) return bare;
  return listModels('anthropic').find(({ id }) => id.startsWith(`claude-${family}-`))?.id ?? bare;
}

let bundledOnce: Catalog | undefined;

/** Indexed on first use, so that importing the package costs nothing. */
export function bundledCatalog(): Catalog {
  bundledOnce ??= catalogOf(bundled);
  return bundledOnce;
}

let current: { readonly catalog: Catalog; readonly version: number } | undefined;

/** The table that counts in this process: the bundled one, with a person's own rows on top if the process has a source of them. */
export function currentCatalog(): Catalog {
  const { read, version } = catalogSource();
  if (current?.version !== version) {
    const own = read?.() ?? null;
    current = { catalog: own === null ? bundledCatalog() : withOverrides(own), version };
  }
  return current.catalog;
}

function catalogOf(data: CatalogData): Catalog {
  const byName = indexByName(data.models);
  const listModels = (provider?: string): ReadonlyArray<ModelInfo> =>
    provider === undefined ? data.models : data.models.filter((model) => model.provider === makerOf(provider));
  return {
    pricesAsOf: data.pricesAsOf,
    getModelInfo: (id) => byName.get(id) ?? named(byName, withoutCloud(id)),
    listModels,
    getLatestModel: (provider, capability) =>
      listModels(provider).find((model) => capability === undefined || CAPABILITIES[capability](model)),
    defaultModel: (provider) => data.defaults[makerOf(provider)],
  };
}

function named(byName: ReadonlyMap<string, ModelInfo>, plain: string): ModelInfo | undefined {
  return byName.get(plain) ?? byName.get(withoutVersionSuffix(plain));
}

const CAPABILITIES: Readonly<Record<ModelCapability, (model: ModelInfo) => boolean>> = {
  tools: (model) => model.supportsTools,
  vision: (model) => model.supportsVision,
  reasoning: (model) => model.supportsReasoning,
};

function indexByName(models: ReadonlyArray<ModelInfo>): ReadonlyMap<string, ModelInfo> {
  const byName = new Map<string, ModelInfo>();
  for (const model of models) for (const alias of model.aliases) byName.set(alias, model);
  for (const model of models) byName.set(model.id, model);
  return byName;
}

/** A cloud that has a maker's models under their own names. */
const SAME_MODELS: Readonly<Record<string, string>> = { vertex: 'gemini', 'vertex-anthropic': 'anthropic' };

function makerOf(provider: string): string {
  return Object.hasOwn(SAME_MODELS, provider) ? (SAME_MODELS[provider] ?? provider) : provider;
}

/** `us.anthropic.claude-x-v1:0`, an inference profile's address that ends with it, and `claude-x@20250929` are `claude-x`. */
function withoutCloud(id: string): string {
  const [, name] = /(?:^|[./])anthropic\.(claude-[\w-]+?)(?:-v\d+(?::\d+)?)?$/.exec(id) ?? [];
  return name ?? id.replace(/^(claude-[\w.-]+)@(?:default|latest)$/, '$1').replace('@', '-');
}

function withoutVersionSuffix(id: string): string {
  return id.replace(/-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/, '');
}

function applyOverride(models: ReadonlyArray<ModelInfo>, override: ModelOverride): ReadonlyArray<ModelInfo> {
  const known = models.find((model) => model.id === override.id || model.aliases.includes(override.id));
  if (known === undefined) return [{ ...unlistedModel(override), ...override }, ...models];
  const merged = { ...known, ...override, id: known.id };
  return models.map((model) => (model === known ? merged : model));
}

function unlistedModel(override: ModelOverride): ModelInfo {
  return {
    id: override.id,
    provider: 'openai-chat',
    displayName: override.id,
    contextWindow: 128_000,
    supportsTools: true,
    supportsVision: false,
    supportsReasoning: false,
    aliases: [],
    prices: [],
  };
}
