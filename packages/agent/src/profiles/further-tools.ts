import { createSkillTool } from '../skills/skill-tool.ts';
import { createAgentTool } from '../subagent/agent-tool.ts';
import { createBashOutputTool, createKillShellTool } from '../tools/background/tools.ts';
import { createReadManyFilesTool } from '../tools/documents/read-many.ts';
import { createMultiEditTool } from '../tools/multi-edit.ts';
import { createNotebookEditTool, createNotebookReadTool } from '../tools/notebook/tools.ts';
import { createExitPlanModeTool } from '../tools/plan/exit-plan-mode.ts';
import { createSlashCommandTool } from '../tools/plan/slash-command.ts';
import { createListDirTool } from '../tools/list-dir.ts';
import { createReadFileTool } from '../tools/read-file.ts';
import { createTodoReadTool, createTodoWriteTool } from '../tools/todos/tools.ts';
import { createWebSearchTool } from '../tools/web/search.ts';
import { createWebFetchTool } from '../tools/web/tool.ts';
import type { ProfileId, RegisteredTool } from '../types/index.ts';
import { namedFor } from './names.ts';
import type { ToolPorts } from './ports.ts';
import { showAs, type ToolSurface } from './surface.ts';
import { UPDATE_PLAN, VIEW_IMAGE, WRITE_TODOS } from './step-surfaces.ts';

type Row = {
  /** Null: there is no port for it. */
  readonly make: (ports: ToolPorts) => RegisteredTool | null;
  readonly families: ReadonlyArray<ProfileId>;
  /** Where a family has more than another name for it. */
  readonly surfaces?: Readonly<Partial<Record<ProfileId, ToolSurface>>>;
};

const ALL: ReadonlyArray<ProfileId> = ['openai', 'anthropic', 'gemini'];

/** In the order in which models see them, behind the tools for files, search and commands. */
const ROWS: ReadonlyArray<Row> = [
  { make: () => createMultiEditTool(), families: ['anthropic'] },
  {
    make: () => createListDirTool(),
    families: ['anthropic'],
    surfaces: { anthropic: { parameters: { path: {}, ignore: {} } } },
  },
  { make: () => createReadManyFilesTool(), families: ['gemini'] },
  { make: () => createReadFileTool(), families: ['openai'], surfaces: { openai: VIEW_IMAGE } },
  { make: () => createNotebookReadTool(), families: ['anthropic'] },
  { make: () => createNotebookEditTool(), families: ['anthropic'] },
  { make: ({ background }) => (background === undefined ? null : createBashOutputTool(background)), families: ALL },
  { make: ({ background }) => (background === undefined ? null : createKillShellTool(background)), families: ALL },
  {
    make: () => createTodoWriteTool(),
    families: ALL,
    surfaces: { openai: UPDATE_PLAN, gemini: WRITE_TODOS },
  },
  { make: ({ history }) => (history === undefined ? null : createTodoReadTool(history)), families: ALL },
  { make: ({ web }) => (web === undefined ? null : createWebFetchTool(web)), families: ALL },
  { make: ({ search }) => (search === undefined ? null : createWebSearchTool(search)), families: ALL },
  { make: ({ agents }) => (agents === undefined ? null : createAgentTool(agents)), families: ALL },
  {
    make: ({ approvePlan }) => (approvePlan === undefined ? null : createExitPlanModeTool(approvePlan)),
    families: ALL,
  },
  { make: ({ commands }) => (commands === undefined ? null : createSlashCommandTool(commands)), families: ALL },
  { make: ({ skills }) => (skills === undefined ? null : createSkillTool(skills)), families: ALL },
];

/** What a profile offers besides its tools for files, search and commands, under the names that its family knows. */
export function furtherTools(family: ProfileId, ports: ToolPorts): ReadonlyArray<RegisteredTool> {
  return ROWS.filter(({ families }) => families.includes(family)).flatMap(({ make, surfaces }) => {
    const tool = make(ports);
    if (tool === null) return [];
    const surface = surfaces?.[family];
    return [namedFor(surface === undefined ? tool : showAs(tool, surface), family)];
  });
}
