export type * from './agent.ts';
export type { NativeAgentOptions } from './native.ts';
export { createNativeAgent } from './native.ts';
export type { Script, ScriptStep } from './script.ts';
export { createScriptedAgent } from './scripted.ts';
