export { journalsBeside } from './journals-beside.ts';
export { type AgentDefinition, BUILT_IN_AGENTS } from './agent-definition.ts';
export { profileForAgent } from './agent-profile.ts';
export { type AgentOrder, type AgentToolOptions, createAgentTool, type RunAgent, runThrough } from './agent-tool.ts';
