export type { McpChanges } from './changes.ts';
export { callMcpServer, type McpServerCaller } from './call-server.ts';
export { needsTrust, type McpOAuthSettings, type McpScope, type McpServerDefinition } from './definition.ts';
export type { McpElicit } from './elicitation.ts';
export type { McpFailure, McpOutcome } from './failure.ts';
export type { McpRunHelper } from './open-client.ts';
export { openMcp, type Mcp, type McpOptions, type McpServerStatus } from './open-mcp.ts';
export type { McpCommand } from './prompts.ts';
export { mcpFormOf, readMcpServers } from './read-definitions.ts';
