import type { ContentPart, Usage } from '@attractor/llm';

/** Content and usage in the shape of the Messages API, which readers of stream-json know. */
export type Block = Readonly<Record<string, unknown>> & { readonly type: string };

export function blocksOf(content: ReadonlyArray<ContentPart>): ReadonlyArray<Block> {
  return content.flatMap((part) => {
    const make = BLOCKS[part.kind] as ((part: ContentPart) => Block) | undefined;
    return make === undefined ? [] : [make(part)];
  });
}

const BLOCKS: { readonly [Kind in ContentPart['kind']]?: (part: Extract<ContentPart, { kind: Kind }>) => Block } = {
  TEXT: ({ text }) => ({ type: 'text', text }),
  THINKING: ({ text, signature }) => ({ type: 'thinking', thinking: text, signature: signature ?? '' }),
  REDACTED_THINKING: ({ data }) => ({ type: 'redacted_thinking', data }),
  TOOL_CALL: ({ toolCallId, toolName, args }) => ({ type: 'tool_use', id: toolCallId, name: toolName, input: args }),
};

/** There, cached input is counted beside `input_tokens`, not in it. */
export function usageOf(usage: Usage): Readonly<Record<string, number>> {
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  return {
    input_tokens: Math.max(0, usage.inputTokens - cacheRead - cacheWrite),
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}
