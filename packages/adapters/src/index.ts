export type * from './agent.ts';
export type { NativeAgentOptions } from './native/native-options.ts';
export { createNativeAgent } from './native.ts';
export type { Script, ScriptStep } from './script.ts';
export { createScriptedAgent } from './scripted.ts';
export type { CliAgentOptions } from './cli.ts';
export { createCliAgent } from './cli.ts';
export type { CliDefinition, DefinitionReading } from './cli/definition.ts';
export { readCliDefinition } from './cli/definition.ts';
