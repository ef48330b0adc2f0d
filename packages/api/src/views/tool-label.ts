import type { ToolInfo } from '../agents.ts';
import type { ToolPiece } from './transcript.ts';

/** `hint`: what the tool does; null for a tool that is not ours. `subject`: what the call is about. */
export type ToolLabel = { readonly hint: string | null; readonly subject: string };

/** Of tools that are not ours: arguments that often say what a call is about. */
const OFTEN = ['command', 'path', 'file_path', 'pattern', 'query', 'url', 'outcome'];

/** How a call is told in one line, after the tool's name. Without an argument that says most of it, all of them do. */
export function toolLabel(
  { toolName, input }: Pick<ToolPiece, 'toolName' | 'input'>,
  tools: ReadonlyArray<ToolInfo>,
): ToolLabel {
  const tool = tools.find(({ names }) => names.includes(toolName));
  const name = (tool?.subject ?? OFTEN).find((argument) => typeof input[argument] === 'string');
  return { hint: tool?.does ?? null, subject: name === undefined ? JSON.stringify(input) : String(input[name]) };
}
