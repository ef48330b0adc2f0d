export type * from './agent.ts';
export { createNativeAgent } from './native.ts';
export { redactApproval } from './redact-approval.ts';
export { readScripts, type Script, type ScriptStep } from './script.ts';
export { createScriptedAgent } from './scripted.ts';
export { createCliAgent } from './cli.ts';
export { readCliDefinition } from './cli/definition.ts';
export { FOREIGN_KINDS, knownForeignAgents } from './foreign-agents.ts';
export { readForeignDefinition } from './program/foreign-definition.ts';
