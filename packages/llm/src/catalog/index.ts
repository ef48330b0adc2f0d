export {
  bundledCatalog,
  defaultModel,
  getLatestModel,
  getModelInfo,
  listModels,
  modelNamed,
  withOverrides,
} from './catalog.ts';
export type { Catalog } from './catalog.ts';
export { setCatalogSource } from './own-source.ts';
export type { CatalogOverrides, ModelOverride } from './overrides.ts';
export { readTable } from './read-table.ts';
export type { LongContextPrices, ModelCapability, ModelInfo, ModelPrices, TokenPrices } from './model-info.ts';
