export type { AgentDefinition } from '../agents/agent-definition.ts';
export { BUILT_IN_AGENTS } from './built-in-agents.ts';
export { profileForAgent } from './agent-profile.ts';
export { type AgentOrder, type AgentToolOptions, createAgentTool, type RunAgent, runThrough } from './agent-tool.ts';
