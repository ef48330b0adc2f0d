import { messageOf } from '@attractor/base';
import { holdsMask } from '@attractor/redact';
import type { Conversation } from './conversation.ts';
import { FILE_TOOLS, publicName, type FileToolName } from './file-tools/definitions.ts';
import type { FileTools } from './file-tools/file-tools.ts';
import type { FileToolAnswer } from './file-tools/run.ts';
import type { ToolCall } from './provider.ts';

/** Asked before a tool runs; it may take as long as a person needs. A refusal's reason goes to the agent. */
export type CanUse = (
  call: Pick<ToolCall, 'id' | 'name' | 'input'> & { readonly readOnly: boolean; readonly signal: AbortSignal },
) => Promise<{ readonly allowed: true } | { readonly allowed: false; readonly reason: string }>;

export type CallRunner = {
  readonly conversation: Conversation;
  readonly tools: FileTools;
  /** Those that the agent may use. */
  readonly offered: ReadonlyArray<FileToolName>;
  readonly signal: AbortSignal;
  readonly canUse?: CanUse;
};

/** Runs one call and records it: its start before anything happens, its end with the whole output. */
export async function runCall(runner: CallRunner, call: ToolCall): Promise<void> {
  const name = publicName(call.name) ?? call.name;
  const readOnly = FILE_TOOLS.find((tool) => tool.name === name)?.readOnly ?? true;
  runner.conversation.record({
    kind: 'TOOL_CALL_START',
    toolCallId: call.id,
    toolName: name,
    args: call.input,
    readOnly,
  });
  const { output, isError } =
    (await refusal(runner, { ...call, name }, readOnly)) ?? (await run(runner, { ...call, name }));
  runner.conversation.record({ kind: 'TOOL_CALL_END', toolCallId: call.id, toolName: name, output, isError });
}

async function run({ tools, signal }: CallRunner, { name, input }: ToolCall): Promise<FileToolAnswer> {
  try {
    return await tools.run({ name, input, signal });
  } catch (error) {
    return failure('tool_failed', `The tool broke: ${messageOf(error)}.`);
  }
}

/** A mask that is written back would take the place of the secret that it hides. */
const MASKED =
  'The arguments hold a mask ("[redacted:…]"), which stands for a secret that is not shown to you and would replace it. Change only the text around it.';

async function refusal(runner: CallRunner, call: ToolCall, readOnly: boolean): Promise<FileToolAnswer | null> {
  if (call.inputError !== undefined)
    return failure('invalid_arguments', `The arguments are no JSON object (${call.inputError}): send the call again.`);
  if (!runner.offered.some((name) => name === call.name))
    return failure('unknown_tool', `This agent has no tool ${call.name}. Its tools: ${runner.offered.join(', ')}.`);
  if (!readOnly && holdsMask(JSON.stringify(call.input))) return failure('invalid_arguments', MASKED);
  const { id, name, input } = call;
  const answer = await runner.canUse?.({ id, name, input, readOnly, signal: runner.signal });
  return answer === undefined || answer.allowed ? null : failure('denied', answer.reason);
}

function failure(error: string, message: string): FileToolAnswer {
  return { output: JSON.stringify({ error, message }), isError: true };
}
