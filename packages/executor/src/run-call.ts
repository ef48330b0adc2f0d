import { messageOf } from '@attractor/base';
import { FILE_TOOLS, type FileToolName } from './file-tools/definitions.ts';
import type { FileTools } from './file-tools/file-tools.ts';
import type { FileToolAnswer, FileToolCall } from './file-tools/run.ts';
import type { ToolCall } from './provider.ts';

/** Asked before a tool runs; it may take as long as a person needs. A refusal's reason goes to the agent. */
export type CanUse = (
  call: Pick<ToolCall, 'id' | 'name' | 'input'> & { readonly readOnly: boolean; readonly signal: AbortSignal },
) => Promise<{ readonly allowed: true } | { readonly allowed: false; readonly reason: string }>;

export type CallRunner = {
  readonly tools: FileTools;
  /** The tools that the agent may use. */
  readonly offered: ReadonlyArray<FileToolName>;
  readonly canUse?: CanUse;
};

export type Call = FileToolCall & { readonly id: string; readonly signal: AbortSignal };

/** Runs one call by its public name. A refusal has the same JSON format as a tool's own failure. */
export async function runCall(runner: CallRunner, call: Call): Promise<FileToolAnswer> {
  try {
    return (await refusal(runner, call)) ?? (await runner.tools.run(call));
  } catch (error) {
    return failure('tool_failed', `The tool broke: ${messageOf(error)}.`);
  }
}

export function isReadOnly(name: string): boolean {
  return FILE_TOOLS.find((tool) => tool.name === name)?.readOnly ?? true;
}

async function refusal({ offered, canUse }: CallRunner, call: Call): Promise<FileToolAnswer | null> {
  if (!offered.some((name) => name === call.name))
    return failure('unknown_tool', `This agent has no tool ${call.name}. Its tools: ${offered.join(', ')}.`);
  const answer = await canUse?.({ ...call, readOnly: isReadOnly(call.name) });
  return answer === undefined || answer.allowed ? null : failure('denied', answer.reason);
}

export function failure(error: string, message: string): FileToolAnswer {
  return { output: JSON.stringify({ error, message }), isError: true };
}
