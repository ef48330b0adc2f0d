export { familyNameOf, houseNameOf, namesOf } from './names.ts';
export { TOOL_NAMES, TOOLS, type ToolName } from './table.ts';
