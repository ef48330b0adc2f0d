export { callMcpServer, type McpCallOptions, type McpServerCaller } from './call-server.ts';
export type { McpHttpServer, McpOAuthSettings, McpScope, McpServerDefinition, McpStdioServer } from './definition.ts';
export type { McpElicit, McpElicitation, McpElicitationAnswer } from './elicitation.ts';
export type { McpFailure, McpFailureCode, McpOutcome } from './failure.ts';
export type { McpMention } from './mentions.ts';
export type { McpAuthorize } from './oauth/sign-in.ts';
export { openMcp, type Mcp, type McpOptions, type McpServerStatus } from './open-mcp.ts';
export type { McpCommand, McpExpanded } from './prompts.ts';
export { readMcpServers, type McpForm, type McpServersReading, type McpServersText } from './read-definitions.ts';
