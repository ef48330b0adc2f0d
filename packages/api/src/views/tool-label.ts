import type { ToolInfo } from '../agents.ts';
import type { ToolPiece } from './transcript.ts';

/** `hint`: what the tool does; null for a tool that is not ours. `subject`: what the call is about. */
export type ToolLabel = { readonly hint: string | null; readonly subject: string };

/** Of tools that are not ours: arguments that often say what a call is about. */
const OFTEN = ['command', 'path', 'file_path', 'pattern', 'query', 'url', 'outcome'];

/** How a call is shown in one line, after the tool's name: by the argument that says most, or by all of them if there is none. */
export function toolLabel(
  { toolName, input }: Pick<ToolPiece, 'toolName' | 'input'>,
  tools: ReadonlyArray<ToolInfo>,
): ToolLabel {
  const tool = tools.find(({ names }) => names.includes(toolName));
  const name = (tool?.subject ?? OFTEN).find((argument) => typeof input[argument] === 'string');
  return { hint: tool?.does ?? null, subject: name === undefined ? JSON.stringify(input) : String(input[name]) };
}
