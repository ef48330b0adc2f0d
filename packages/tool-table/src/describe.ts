import { namesOfTool } from './names.ts';
import type { ToolRow } from './row.ts';
import { TOOL_NAMES, TOOLS } from './table.ts';

/** What a person is told of a tool. It can cross a wire. */
export type DescribedTool = {
  readonly name: string;
  /** All its names, in whatever family. */
  readonly names: ReadonlyArray<string>;
  readonly does: string;
  /** The arguments that say what a call is about; the first one that is given counts. */
  readonly subject: ReadonlyArray<string>;
};

/** In the order in which people are told of them. */
export function describeTools(): ReadonlyArray<DescribedTool> {
  return TOOL_NAMES.map((name) => {
    const { does, subject }: ToolRow = TOOLS[name];
    return { name, names: namesOfTool(name), does, subject };
  });
}
