import { defined, messageOf } from '@attractor/base';
import type { ToolCallPart, ToolResultPart } from '../types/content.ts';
import type { Message } from '../types/message.ts';
import type { Response } from '../types/response.ts';
import { untilAborted } from './deadline.ts';
import { schemaProblem } from './json-schema.ts';
import type { GenerateOptions } from './options.ts';
import type { Tool, ToolOutput } from './tool.ts';

export type ToolRound = {
  readonly response: Response;
  /** The conversation up to and including the response. */
  readonly messages: ReadonlyArray<Message>;
  readonly options: Pick<GenerateOptions, 'tools' | 'repairToolCall'>;
  readonly signal: AbortSignal;
};

/**
 * Runs the calls of one reply, all at once; results come in the order of the calls. Any failure of a call is an error result for the model;
 * only an abort rejects. Calls to passive tools get no result: the caller answers them.
 */
export async function runTools(round: ToolRound): Promise<ReadonlyArray<ToolResultPart>> {
  const calls = toolCallsOf(round.response).filter((call) => !isPassive(call, round.options));
  const results = Promise.all(calls.map((call) => runCall(call, round)));
  return untilAborted(results, round.signal);
}

export function toolCallsOf(response: Response): ReadonlyArray<ToolCallPart> {
  return response.message.content.filter((part) => part.kind === 'TOOL_CALL');
}

export function isPassive(call: ToolCallPart, { tools = [] }: Pick<GenerateOptions, 'tools'>): boolean {
  return tools.some((tool) => tool.name === call.toolName && tool.execute === undefined);
}

async function runCall(call: ToolCallPart, round: ToolRound): Promise<ToolResultPart> {
  const answer = (given: ToolOutput): ToolResultPart => ({
    kind: 'TOOL_RESULT',
    toolCallId: call.toolCallId,
    output: given.output,
    isError: given.isError ?? false,
    ...defined({ images: given.images }),
  });
  try {
    const ready = await prepare(call, round);
    if ('problem' in ready) return answer({ output: ready.problem, isError: true });
    return answer(await execute(ready, round));
  } catch (error) {
    return answer({ output: `Tool ${call.toolName} failed: ${messageOf(error)}`, isError: true });
  }
}

type Ready = { readonly tool: Tool; readonly call: ToolCallPart };
type Refused = { readonly problem: string };

/** A broken call may be repaired once; the repaired one must satisfy the same rules. */
async function prepare(call: ToolCallPart, { options }: ToolRound): Promise<Ready | Refused> {
  const { tools = [], repairToolCall } = options;
  const first = await check(call, tools);
  if (!('problem' in first) || repairToolCall === undefined) return first;
  const repaired = await repairToolCall({ call, problem: first.problem, tools });
  return repaired === undefined ? first : check(repaired, tools);
}

async function check(call: ToolCallPart, tools: ReadonlyArray<Tool>): Promise<Ready | Refused> {
  const tool = tools.find((candidate) => candidate.name === call.toolName);
  if (tool === undefined) return { problem: unknownTool(call, tools) };
  if (call.argsError !== undefined) return { problem: `Invalid arguments for ${tool.name}: ${call.argsError}` };
  const problem = await schemaProblem(tool.parameters, call.args);
  return problem === undefined ? { tool, call } : { problem: `Invalid arguments for ${tool.name}: ${problem}` };
}

function unknownTool(call: ToolCallPart, tools: ReadonlyArray<Tool>): string {
  const names = tools.map((tool) => tool.name).join(', ');
  return `There is no tool named "${call.toolName}". ${names === '' ? 'There are no tools.' : `Use one of: ${names}.`}`;
}

async function execute({ tool, call }: Ready, round: ToolRound): Promise<ToolOutput> {
  const context = { messages: round.messages, abortSignal: round.signal, toolCallId: call.toolCallId };
  return outputOf(await tool.execute?.(call.args, context));
}

function outputOf(value: unknown): ToolOutput {
  if (typeof value === 'string') return { output: value };
  if (isToolOutput(value)) return value;
  return { output: value === undefined ? '' : (JSON.stringify(value) ?? '') };
}

function isToolOutput(value: unknown): value is ToolOutput {
  return typeof value === 'object' && value !== null && 'output' in value && typeof value.output === 'string';
}
