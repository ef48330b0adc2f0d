import { AGENTS } from './rows/agents.ts';
import { COMMAND_TOOLS } from './rows/commands.ts';
import { CONVERSATION } from './rows/conversation.ts';
import { DOCUMENTS } from './rows/documents.ts';
import { FILES } from './rows/files.ts';
import { FOLDER_TOOLS } from './rows/folders.ts';
import { STEPS } from './rows/steps.ts';
import { WEB } from './rows/web.ts';
import type { ToolRow } from './row.ts';

/** Every tool that our agents can have, in the order in which people see them. A tool is its file and its row. */
export const TOOLS = {
  ...FILES,
  ...COMMAND_TOOLS,
  ...FOLDER_TOOLS,
  ...DOCUMENTS,
  ...STEPS,
  ...WEB,
  ...AGENTS,
  ...CONVERSATION,
} as const satisfies Readonly<Record<string, ToolRow>>;

/** The tools' own names. */
export type ToolName = keyof typeof TOOLS;

export const TOOL_NAMES = Object.keys(TOOLS) as ReadonlyArray<ToolName>;
