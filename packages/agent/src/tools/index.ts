export type { DispatchOptions, PendingToolCall, ToolCallResult } from './dispatch.ts';
export { dispatchToolCalls } from './dispatch.ts';
export { createReadFileTool, readFileExecutor } from './read-file.ts';
export { createWriteFileTool, writeFileExecutor } from './write-file.ts';
export { createEditFileTool, editFileExecutor } from './edit-file.ts';
export { applyPatchExecutor, createApplyPatchTool } from './apply-patch.ts';
export { createShellTool, shellExecutor } from './shell.ts';
export { createGrepTool, grepExecutor } from './grep.ts';
export { createGlobTool, globExecutor } from './glob.ts';
export { createListDirTool, listDirExecutor } from './list-dir.ts';
export { describeEditProblem, type EditProblem, type EditWords } from '@attractor/patch';
export { validateArguments } from './validate.ts';
export { createMultiEditTool } from './multi-edit.ts';
export { createReadManyFilesTool } from './documents/read-many.ts';
export { createNotebookEditTool, createNotebookReadTool } from './notebook/tools.ts';
export { createTodoReadTool, createTodoWriteTool } from './todos/tools.ts';
export { type Todo, type TodoStatus, todosOf } from './todos/todos.ts';
export {
  type BackgroundShell,
  type BackgroundShells,
  type BackgroundShellsOptions,
  createBackgroundShells,
} from './background/shells.ts';
export { imageIn } from './read-image.ts';
export { createPersistentShell, type PersistentShell } from './background/persistent-shell.ts';
export { createBashTool } from './background/bash.ts';
export { createBashOutputTool, createKillShellTool } from './background/tools.ts';
export { createWebFetchTool, type PageQuestion, type WebFetchOptions } from './web/tool.ts';
export type { SearchWeb, WebHit, WebQuery } from '@attractor/pages/search';
export { createWebSearchTool } from './web/search.ts';
export { withinDomains, type DomainLimits } from './web/within-domains.ts';
export { isMentionedUrl, mentionedUrls } from './web/mentioned-urls.ts';
export { type ApprovePlan, createExitPlanModeTool, type PlanAnswer } from './plan/exit-plan-mode.ts';
export { type SlashCommandCall, createSlashCommandTool, type SlashCommands } from './plan/slash-command.ts';
