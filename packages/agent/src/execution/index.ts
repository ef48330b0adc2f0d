export type { LocalEnvironmentOptions } from './local.ts';
export { createLocalExecutionEnvironment } from './local.ts';
