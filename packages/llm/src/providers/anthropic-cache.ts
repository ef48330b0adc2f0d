import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Message,
  LanguageModelV4ProviderTool,
} from '@ai-sdk/provider';
import { defined } from '@attractor/base';

/**
 * Where Anthropic may cache the prompt; at most four places, in the order in which the prompt is read:
 *
 *   1. the last tool             tools rarely change
 *   2. the last system text      nor does the system prompt
 *   3. the last turn of the person or the tools before the model's last answer: what the previous request wrote
 *   4. the last turn of the person or the tools: what the next request will read
 *
 * Only markers move from turn to turn. The bytes before them stay the same, and markers are not part of what is hashed.
 */
export function placeBreakpoints(
  call: LanguageModelV4CallOptions,
  mode: 'auto' | 'off',
): { readonly call: LanguageModelV4CallOptions; readonly marked: boolean } {
  if (mode === 'off') return { call, marked: false };
  const places = markedPlaces(call.prompt);
  const prompt = call.prompt.map((message, at) => (places.has(at) ? markLast(message) : message));
  const tools = call.tools?.map((tool, at, all) => (at === all.length - 1 ? markTool(tool) : tool));
  return { call: { ...call, prompt, ...defined({ tools }) }, marked: true };
}

const MARK = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

function markedPlaces(prompt: ReadonlyArray<LanguageModelV4Message>): ReadonlySet<number> {
  const lastSystem = prompt.findLastIndex(({ role }) => role === 'system');
  const lastAnswer = prompt.findLastIndex(({ role }) => role === 'assistant');
  const newest = prompt.findLastIndex(isAsked);
  const before = prompt.findLastIndex((message, at) => at < lastAnswer && isAsked(message));
  return new Set([lastSystem, newest, before]);
}

function isAsked({ role }: LanguageModelV4Message): boolean {
  return role === 'user' || role === 'tool';
}

/** A message's own options mark its last block. */
function markLast(message: LanguageModelV4Message): LanguageModelV4Message {
  return {
    ...message,
    providerOptions: {
      ...message.providerOptions,
      anthropic: { ...message.providerOptions?.['anthropic'], ...MARK.anthropic },
    },
  };
}

function markTool(
  tool: LanguageModelV4FunctionTool | LanguageModelV4ProviderTool,
): LanguageModelV4FunctionTool | LanguageModelV4ProviderTool {
  return tool.type === 'function' ? { ...tool, providerOptions: { ...tool.providerOptions, ...MARK } } : tool;
}
