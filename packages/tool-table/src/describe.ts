import { namesOfTool } from './names.ts';
import type { ToolRow } from './row.ts';
import { TOOL_NAMES, TOOLS } from './table.ts';

/** A tool as described to people. It can be sent over a wire. */
export type DescribedTool = {
  readonly name: string;
  /** All its names, in all families. */
  readonly names: ReadonlyArray<string>;
  readonly does: string;
  /** The arguments that say what a call is about; the first one present counts. */
  readonly subject: ReadonlyArray<string>;
};

/** In the order in which people see them. */
export function describeTools(): ReadonlyArray<DescribedTool> {
  return TOOL_NAMES.map((name) => {
    const { does, subject }: ToolRow = TOOLS[name];
    return { name, names: namesOfTool(name), does, subject };
  });
}
