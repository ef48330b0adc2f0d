export type { DispatchOptions, PendingToolCall, ToolCallResult } from './dispatch.ts';
export { dispatchToolCalls } from './dispatch.ts';
export { createReadFileTool, readFileExecutor } from './read-file.ts';
export { createWriteFileTool, writeFileExecutor } from './write-file.ts';
export { createEditFileTool, editFileExecutor } from './edit-file.ts';
export { applyPatchExecutor, createApplyPatchTool } from './apply-patch.ts';
export { createShellTool, shellExecutor } from './shell.ts';
export { createGrepTool, grepExecutor } from './grep.ts';
export { createGlobTool, globExecutor } from './glob.ts';
