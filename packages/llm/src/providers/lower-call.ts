import type {
  JSONSchema7,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4ToolChoice,
  SharedV4ProviderOptions,
} from '@ai-sdk/provider';
import { defined } from '@attractor/base';
import { LlmError } from '../types/error.ts';
import type { JsonSchema, Request } from '../types/request.ts';
import type { Lowering } from './protocol.ts';

/** The parts of a call that all families lower alike; absent fields stay absent. */
export function lowerCall({ request, wireName }: Lowering): Omit<LanguageModelV4CallOptions, 'prompt'> {
  const { temperature, topP, maxTokens, stopSequences, responseFormat, tools } = request;
  const toolChoice = lowerToolChoice(request, wireName);
  return {
    ...defined({ temperature, topP, maxOutputTokens: maxTokens }),
    ...(stopSequences === undefined ? {} : { stopSequences: [...stopSequences] }),
    ...(responseFormat === undefined ? {} : { responseFormat: lowerFormat(responseFormat) }),
    ...(tools === undefined || tools.length === 0 ? {} : { tools: tools.map((tool) => lowerTool(tool, wireName)) }),
    ...defined({ toolChoice }),
  };
}

/** A provider's own options pass through unchanged, except for the keys that we read ourselves. */
export function ownOptions(
  request: Request,
  name: string,
  taken: ReadonlyArray<string> = [],
): SharedV4ProviderOptions[string] {
  const given = Object.entries(request.providerOptions?.[name] ?? {}).filter(([key]) => !taken.includes(key));
  return JSON.parse(JSON.stringify(Object.fromEntries(given)));
}

function lowerTool(
  tool: NonNullable<Request['tools']>[number],
  wireName: (name: string) => string,
): LanguageModelV4FunctionTool {
  return {
    type: 'function',
    name: wireName(tool.name),
    description: tool.description,
    inputSchema: asSchema(tool.parameters),
  };
}

function lowerFormat(
  format: NonNullable<Request['responseFormat']>,
): NonNullable<LanguageModelV4CallOptions['responseFormat']> {
  if (format.type === 'text') return { type: 'text' };
  if (format.type === 'json') return { type: 'json' };
  return { type: 'json', schema: asSchema(format.schema), ...defined({ name: format.name }) };
}

/** Plain data in both cases; the SDK only has a narrower type for it. */
function asSchema(schema: JsonSchema): JSONSchema7 {
  return { ...schema };
}

function lowerToolChoice(
  { toolChoice, tools, provider }: Request,
  wireName: (name: string) => string,
): LanguageModelV4ToolChoice | undefined {
  if (toolChoice === undefined || toolChoice === 'auto' || toolChoice === 'none') {
    return toolChoice === undefined || (tools ?? []).length === 0 ? undefined : { type: toolChoice };
  }
  const refuse = (message: string): LlmError =>
    new LlmError({
      code: 'unsupported_tool_choice',
      message,
      retryable: false,
      ...defined({ provider }),
    });
  if ((tools ?? []).length === 0)
    throw refuse('A tool was demanded but none is offered. Pass tools, or leave toolChoice out.');
  if (toolChoice === 'required') return { type: 'required' };
  const known = tools?.some(({ name }) => name === toolChoice.toolName) ?? false;
  if (!known) throw refuse(`The demanded tool "${toolChoice.toolName}" is not among the tools offered.`);
  return { type: 'tool', toolName: wireName(toolChoice.toolName) };
}
