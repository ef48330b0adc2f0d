export type * from './agent.ts';
export { createNativeAgent } from './native.ts';
export { redactApproval } from './redact-approval.ts';
export type { Script, ScriptStep } from './script.ts';
export { createScriptedAgent } from './scripted.ts';
export { createCliAgent } from './cli.ts';
export { readCliDefinition } from './cli/definition.ts';
