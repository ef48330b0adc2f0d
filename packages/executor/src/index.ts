export type { Failure } from './failure.ts';
export { FILE_TOOLS, publicName, wireName, type FileToolName } from './file-tools/definitions.ts';
export { runFileTool, type FileToolAnswer, type FileToolCall } from './file-tools/run.ts';
export {
  createBinaryFileTools,
  createFileTools,
  type FileToolsProgram,
  type FileTools,
} from './file-tools/file-tools.ts';
export {
  answerRequest,
  openWorkspace,
  type FileToolsRequest,
  type RequestAnswer,
} from './file-tools/answer-request.ts';
export type { Executed, ExecuteOptions, ExecutorErrorCode, ExecutorFailure } from './execute-options.ts';
export { execute } from './executor.ts';
export type * from './provider.ts';
export type { CanUse } from './run-call.ts';
export { readSessionFile } from './session-file.ts';
export type { AgentSpec } from './spec/agent-spec.ts';
export { loadSpec, type SpecPlaces } from './spec/find-spec.ts';
export { parseSpec, type SpecFailure, type SpecSource } from './spec/parse-spec.ts';
export { parseParameters, type Parameters } from './spec/messages.ts';
export { createLlmProvider, type LlmProviderOptions } from './providers/llm.ts';
export { CLAUDE_CODE, createClaudeCodeProvider } from './providers/claude-code.ts';
export type { ClaudeCodeOptions } from './providers/claude-options.ts';
export { CLAUDE_SDK_VERSION, findClaudeSdk } from './providers/claude-sdk.ts';
export { serveFileTools, type Serving } from './serve-file-tools.ts';
