import { defined } from '@attractor/base';
import type { ExecutionEnvironment } from '@attractor/agent';
import { readArguments, requiredText, type Arguments } from './arguments.ts';
import { FILE_TOOLS, publicName, type FileToolName } from './definitions.ts';
import { describeFailure, FileToolError } from './failure.ts';
import { listFiles } from './list.ts';
import { patchFile } from './patch.ts';
import { readFile } from './read.ts';
import { searchFiles } from './search.ts';

/** `output` is one line of JSON: the tool's result, or `{"error","message"}`. The same bytes over every transport. */
export type FileToolAnswer = { readonly output: string; readonly isError: boolean };

export type FileToolCall = {
  /** In either spelling: `file.read` or `file_read`. */
  readonly name: string;
  readonly input: Arguments;
  readonly signal?: AbortSignal;
};

/** Runs one call of a file tool in an environment. Expected failures are results; only a bug rejects. */
export async function runFileTool(call: FileToolCall, env: ExecutionEnvironment): Promise<FileToolAnswer> {
  const name = publicName(call.name);
  const definition = FILE_TOOLS.find((tool) => tool.name === name);
  try {
    call.signal?.throwIfAborted();
    if (definition === undefined) throw unknownTool(call.name);
    const args = await readArguments(definition, call.input);
    const result = await RUN[definition.name](args, env, call.signal);
    return { output: JSON.stringify(result), isError: false };
  } catch (error) {
    const failure = describeFailure(call.signal?.aborted === true ? stopped() : error, definition?.readOnly);
    if (failure === null) throw error;
    return { output: JSON.stringify(failure), isError: true };
  }
}

type Run = (args: Arguments, env: ExecutionEnvironment, signal: AbortSignal | undefined) => Promise<object>;

const RUN: Readonly<Record<FileToolName, Run>> = {
  'file.read': readFile,
  'file.write': async (args, env, signal) => {
    const content = requiredText(args, 'content');
    if (!content.isWellFormed())
      throw new FileToolError('invalid_arguments', 'Nothing was written: the content is not valid Unicode text.');
    await env.writeFile(requiredText(args, 'path'), content, defined({ signal }));
    return { success: true, bytes_written: Buffer.byteLength(content) };
  },
  'file.patch': patchFile,
  'file.delete': async (args, env, signal) => {
    await env.deleteFile(requiredText(args, 'path'), defined({ signal }));
    return { success: true };
  },
  'file.list': listFiles,
  'file.search': searchFiles,
};

function unknownTool(name: string): FileToolError {
  const known = FILE_TOOLS.map((tool) => tool.name).join(', ');
  return new FileToolError('unknown_tool', `There is no tool ${JSON.stringify(name)}. Tools: ${known}.`);
}

function stopped(): FileToolError {
  return new FileToolError('cancelled', 'The call was cancelled before it was done.');
}
