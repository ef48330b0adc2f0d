export type { ConfigOrigin, ConfigOrigins, LayeredConfig } from './config-layers.ts';
export { examineDefault, explainRunConfig, unknownDefault, usualAgent } from './config-layers.ts';
export type { Check, SecretsCheck, Setup } from './configured.ts';
export { type AgentSources, agentsOfPerson, findAgent } from './known-agents.ts';
export { isKnownFailure } from './known-failure.ts';
export { agentConfigProblem } from './parse-config.ts';
export type { ProjectConfig } from './project-config.ts';
export { followedConfig, readHomeConfig, readProjectConfig } from './project-config.ts';
