export type * from './agent.ts';
export type { Script, ScriptStep } from './script.ts';
export { createScriptedAgent } from './scripted.ts';
