export type { EnvironmentContractOptions, EnvironmentWorld } from './environment-contract.ts';
export { environmentContract } from './environment-contract.ts';
export type { MemoryEnvironment, MemoryEnvironmentOptions } from './memory-environment.ts';
export { createMemoryEnvironment } from './memory-environment.ts';
export type { Reply, Script, ScriptedCall, ScriptedClient } from './scripted-client.ts';
export { call, createScriptedClient, failure } from './scripted-client.ts';
