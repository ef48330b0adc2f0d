import { LlmError } from '../types/error.ts';
import type { ImagePart } from '../types/content.ts';
import type { Message } from '../types/message.ts';
import type { ToolSpec } from '../types/request.ts';

/**
 * A tool with `execute` is active: its calls run and their results go back to the model. Without it, the tool is passive: its calls are
 * returned to the caller, who answers them.
 */
export type Tool = ToolSpec & { readonly execute?: ToolHandler };

export type ToolHandler = (args: Readonly<Record<string, unknown>>, context: ToolContext) => unknown;

export type ToolContext = {
  /** The conversation up to and including the reply that made the call. */
  readonly messages: ReadonlyArray<Message>;
  readonly abortSignal: AbortSignal;
  readonly toolCallId: string;
};

/** What a handler may return besides a plain string; any other value reaches the model as JSON. */
export type ToolOutput = {
  readonly output: string;
  readonly isError?: boolean;
  readonly images?: ReadonlyArray<ImagePart>;
};

/** Checks a tool where it is defined, so that a bad name or schema fails there and not at the provider. */
export function defineTool(tool: Tool): Tool {
  const problem = problemOf(tool);
  if (problem !== undefined) throw new LlmError({ code: 'invalid_request', message: problem, retryable: false });
  return tool;
}

/** Every tool is well formed and every name occurs once. */
export function checkTools(tools: ReadonlyArray<Tool>): void {
  for (const tool of tools) defineTool(tool);
  const names = tools.map((tool) => tool.name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice === undefined) return;
  const message = `Two tools are named "${twice}". Give each tool its own name.`;
  throw new LlmError({ code: 'invalid_request', message, retryable: false });
}

const TOOL_NAME = /^[A-Za-z][A-Za-z0-9_]{0,63}$/;

function problemOf({ name, parameters }: Tool): string | undefined {
  if (!TOOL_NAME.test(name)) {
    return `"${name.slice(0, 80)}" is not a tool name: use a letter, then letters, digits or underscores, at most 64 in all.`;
  }
  if (parameters['type'] !== 'object') {
    return `The parameters of tool "${name}" must be a JSON Schema whose root has "type": "object".`;
  }
  return undefined;
}
