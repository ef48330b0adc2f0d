export { createLocalExecutionEnvironment, type LocalEnvironmentOptions } from './local.ts';
export { joinFolders } from './several-folders.ts';
