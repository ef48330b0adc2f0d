export {
  bundledCatalog,
  defaultModel,
  getLatestModel,
  getModelInfo,
  listModels,
  modelNamed,
  withOverrides,
} from './catalog.ts';
export type { Catalog, CatalogOverrides, ModelOverride } from './catalog.ts';
export type { LongContextPrices, ModelCapability, ModelInfo, ModelPrices, TokenPrices } from './model-info.ts';
