export * from './types/index.ts';
export * from './catalog/index.ts';
export * from './cost.ts';
export { accumulate, contentOf, NOTHING_YET, type Accumulated } from './accumulate.ts';
export { createClient, createClientFromEnvironment, type Client, type ClientOptions } from './client.ts';
export { collect } from './collect.ts';
export { CLOUD_KEYS, type CloudKey } from './clouds/cloud-settings.ts';
export { firstMissing, missingSetting } from './configured-provider.ts';
export { configurationFromEnvironment, type LlmConfiguration, type ProviderSettings } from './configuration.ts';
export {
  modelFor,
  type ModelSettings,
  type ModelWish,
  providerFor,
  written,
  type WrittenModel,
  writtenIn,
} from './model-choice.ts';
export { imageFromFile } from './image-file.ts';
export { wireErrorClass, type WireErrorClass } from './errors/wire-class.ts';
export type { Middleware } from './middleware.ts';
export { retry, type Retry, type RetryPolicy } from './retry.ts';
export { makerOf, SERVICES, type ServiceRow } from './providers/table.ts';
export { parseToolArgs, type ParsedArgs } from './tool-args.ts';
export * from './generate/index.ts';
export { searchWeb } from './web-search.ts';
export { fallBackTo } from './fallback.ts';
