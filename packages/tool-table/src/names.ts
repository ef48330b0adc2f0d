import type { Family, Spelling, ToolRow } from './row.ts';
import { TOOL_NAMES, TOOLS, type ToolName } from './table.ts';

const ROWS: ReadonlyMap<string, ToolRow> = new Map(Object.entries(TOOLS));

/** Every other spelling of a tool that maps back to it. */
const SPELLINGS: ReadonlyMap<string, ToolName> = new Map(
  TOOL_NAMES.flatMap((tool) => otherNames(tool).map((name) => [name, tool] as const)),
);

/** Tools of other agents by the name of our equivalent. */
const FOREIGN: ReadonlyMap<string, ToolRow> = new Map(
  [...ROWS.values()].flatMap((row) => (row.foreign ?? []).map((name) => [name, row] as const)),
);

/** A tool's own name, whatever a profile calls it. Unknown names stay unchanged. */
export function ownNameOf(name: string): string {
  return SPELLINGS.get(name) ?? name;
}

/** The row of a tool, under any of its names or that of another agent's equivalent. */
export function rowOf(name: string): ToolRow | undefined {
  return ROWS.get(ownNameOf(name)) ?? FOREIGN.get(name);
}

/** A family's name for a tool; its own name if the family has none. */
export function familyNameOf(own: string, family: Family): string {
  const { always, asked }: Spelling = ROWS.get(own)?.families[family] ?? {};
  return always ?? asked ?? own;
}

/** All names of a tool: its own, each family's, and others that people use. */
export function namesOfTool(tool: ToolName): ReadonlyArray<string> {
  return [tool, ...otherNames(tool)];
}

/** The name that people write in rules with content for a tool, or for the whole tool if it has no content rules. */
export function ruleOf(tool: ToolName): string {
  return TOOLS[tool].rule ?? familyNameOf(tool, 'anthropic');
}

/** The tools whose rows satisfy the condition. */
export function toolsWhere(holds: (row: ToolRow) => boolean): ReadonlyArray<ToolName> {
  return TOOL_NAMES.filter((name) => holds(TOOLS[name]));
}

function otherNames(tool: ToolName): ReadonlyArray<string> {
  const { families, also = [] }: ToolRow = TOOLS[tool];
  const spelled = Object.values(families).flatMap(({ always, asked }) => always ?? asked ?? []);
  return [...new Set([...spelled, ...also])];
}
