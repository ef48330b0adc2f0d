import type { ToolPiece } from './transcript.ts';

/** A tool of our own agents, for people. */
export type ToolInfo = {
  readonly name: string;
  /** Its names in all families. */
  readonly names: ReadonlyArray<string>;
  /** "searches file contents" */
  readonly does: string;
  /** The arguments that say what a call is about; the first one present counts. */
  readonly subject: ReadonlyArray<string>;
};

/** `hint`: what the tool does; null for a tool that is not ours. `subject`: what the call is about. */
export type ToolLabel = { readonly hint: string | null; readonly subject: string };

/** For foreign tools: arguments that often say what a call is about. */
const OFTEN = ['command', 'path', 'file_path', 'pattern', 'query', 'url', 'outcome'];

/** How a call is shown in one line, after the tool's name: by its most telling argument, or by all of them if there is none. */
export function toolLabel(
  { toolName, input }: Pick<ToolPiece, 'toolName' | 'input'>,
  tools: ReadonlyArray<ToolInfo>,
): ToolLabel {
  const tool = tools.find(({ names }) => names.includes(toolName));
  const name = (tool?.subject ?? OFTEN).find((argument) => typeof input[argument] === 'string');
  return { hint: tool?.does ?? null, subject: name === undefined ? JSON.stringify(input) : String(input[name]) };
}
