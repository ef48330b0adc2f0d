export type { LocalEnvironmentOptions } from './local.ts';
export { createLocalExecutionEnvironment } from './local.ts';
export { joinFolders } from './several-folders.ts';
export { childVariables } from './environment-variables.ts';
