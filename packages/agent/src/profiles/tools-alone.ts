import { TOOL_NAMES, type ToolRow, TOOLS } from '@attractor/tool-table';
import type { RegisteredTool } from '../types/index.ts';
import { MADE_TOOLS, makeTool, type MakeToolOptions } from './make-tools.ts';

/** The tools that work without a session, each under its own names, in the order in which people see them. */
export function toolsAlone(): ReadonlyArray<RegisteredTool> {
  return TOOL_NAMES.flatMap((name) => {
    const { faceOf }: ToolRow = TOOLS[name];
    const made = MADE_TOOLS.find((one) => one === name);
    const tool = made === undefined || faceOf !== undefined ? null : makeTool(made, ALONE);
    return tool === null ? [] : [tool];
  });
}

const ALONE: MakeToolOptions = { ports: { web: {}, search: null }, offsetBase: 0 };
