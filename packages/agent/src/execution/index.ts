export type { LocalEnvironmentOptions } from './local.ts';
export { createLocalExecutionEnvironment } from './local.ts';
export { joinFolders } from './several-folders.ts';
export { childVariables } from './environment-variables.ts';
export type { Program, ProgramLaunch, ProgramPatience } from './program.ts';
export { endProgramsOf, startProgram } from './program.ts';
