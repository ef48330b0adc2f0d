export { type DescribedTool, describeTools } from './describe.ts';
export { familyNameOf, houseNameOf, namesOfTool } from './names.ts';
export { TOOL_NAMES, TOOLS, type ToolName } from './table.ts';
