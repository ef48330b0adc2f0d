export * from './types/index.ts';
export type * from './workflow-contract.ts';
export type { Platform, PlatformOptions } from './platform.ts';
export { openPlatform } from './platform.ts';
export type { Worker } from './queue/local.ts';
export type { Check, ProjectConfig } from './checks/project-config.ts';
export { readProjectConfig } from './checks/project-config.ts';
export { OUTCOME_SCHEMAS } from './outcomes/schemas.ts';
export { readPipelineDefinition } from './pipeline/definition.ts';
