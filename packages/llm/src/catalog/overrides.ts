import type { ModelInfo } from './model-info.ts';

/** Changed fields of a known model, or a new model, whose missing fields get cautious values and no price. */
export type ModelOverride = Partial<ModelInfo> & { readonly id: string };

export type CatalogOverrides = {
  readonly models?: ReadonlyArray<ModelOverride>;
  /** Default model by provider. */
  readonly defaults?: Readonly<Record<string, string>>;
};
