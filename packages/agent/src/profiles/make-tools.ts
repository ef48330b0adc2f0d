import { defined } from '@attractor/base';
import { type ToolName, type ToolRow, TOOLS } from '@attractor/tool-table';
import { createSkillTool } from '../skills/skill-tool.ts';
import { createAgentTool } from '../subagent/agent-tool.ts';
import { createApplyPatchTool } from '../tools/apply-patch.ts';
import { createBashTool } from '../tools/background/bash.ts';
import { createBashOutputTool, createKillShellTool } from '../tools/background/tools.ts';
import { createReadManyFilesTool } from '../tools/documents/read-many.ts';
import { createEditFileTool } from '../tools/edit-file.ts';
import { createGlobTool } from '../tools/glob.ts';
import { createGrepTool } from '../tools/grep.ts';
import { createListDirTool } from '../tools/list-dir.ts';
import { createMultiEditTool } from '../tools/multi-edit.ts';
import { createNotebookEditTool, createNotebookReadTool } from '../tools/notebook/tools.ts';
import { createExitPlanModeTool } from '../tools/plan/exit-plan-mode.ts';
import { createSlashCommandTool } from '../tools/plan/slash-command.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createShellTool } from '../tools/shell.ts';
import { createTodoReadTool, createTodoWriteTool } from '../tools/todos/tools.ts';
import { createWebSearchTool } from '../tools/web/search.ts';
import { createWebFetchTool } from '../tools/web/tool.ts';
import { createWriteFileTool } from '../tools/write-file.ts';
import type { RegisteredTool } from '../types/index.ts';
import type { ToolPorts } from './ports.ts';

/** What tools are made with. */
export type MakeToolOptions = {
  readonly ports: ToolPorts;
  /** What the lines of a file are counted from. */
  readonly offsetBase: 0 | 1;
  /** Absent: the environment's own. */
  readonly defaultTimeoutMs?: number;
};

/** The tools that are made here; a session makes the others. */
export type MadeTool = Exclude<
  ToolName,
  { [Name in ToolName]: Row<Name> extends { by: 'session' } ? Name : never }[ToolName]
>;

type Row<Name extends ToolName> = (typeof TOOLS)[Name];

/** The port that a tool needs, as its row says. */
type PortOf<Name extends ToolName> =
  Row<Name> extends { needs: infer Port extends keyof ToolPorts } ? Exclude<ToolPorts[Port], undefined> : undefined;

type Makers = { readonly [Name in MadeTool]: (port: PortOf<Name>, making: MakeToolOptions) => RegisteredTool };

/** In the order in which models see them. */
const MAKERS: Makers = {
  read_file: (_port, { offsetBase }) => createReadFileTool({ offsetBase }),
  edit_file: () => createEditFileTool(),
  apply_patch: () => createApplyPatchTool(),
  write_file: () => createWriteFileTool(),
  shell: (_port, { defaultTimeoutMs, ports }) =>
    createBashTool({
      shell: createShellTool(defined({ defaultTimeoutMs })),
      background: ports.background,
      persistent: ports.persistentShell,
    }),
  grep: () => createGrepTool(),
  glob: () => createGlobTool(),
  multi_edit: () => createMultiEditTool(),
  list_dir: () => createListDirTool(),
  read_many_files: () => createReadManyFilesTool(),
  view_image: () => createReadFileTool(),
  notebook_read: () => createNotebookReadTool(),
  notebook_edit: () => createNotebookEditTool(),
  bash_output: createBashOutputTool,
  kill_shell: createKillShellTool,
  todo_write: () => createTodoWriteTool(),
  todo_read: createTodoReadTool,
  web_fetch: createWebFetchTool,
  web_search: createWebSearchTool,
  task: createAgentTool,
  exit_plan_mode: createExitPlanModeTool,
  slash_command: createSlashCommandTool,
  skill: createSkillTool,
};

/** In the order in which models see them. */
export const MADE_TOOLS = Object.keys(MAKERS) as ReadonlyArray<MadeTool>;

/** Null: its port is missing here. */
export function makeTool(name: MadeTool, making: MakeToolOptions): RegisteredTool | null {
  const { needs }: ToolRow = TOOLS[name];
  const port = needs === undefined ? undefined : making.ports[needs as keyof ToolPorts];
  if (needs !== undefined && port === undefined) return null;
  // The port is the one that the row of this very tool names.
  const make = MAKERS[name] as (port: unknown, making: MakeToolOptions) => RegisteredTool;
  return make(port, making);
}
