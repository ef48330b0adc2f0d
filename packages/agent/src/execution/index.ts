export type { LocalEnvironmentOptions } from './local.ts';
export { createLocalExecutionEnvironment } from './local.ts';
export { childVariables } from './environment-variables.ts';
