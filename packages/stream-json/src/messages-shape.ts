import type { DeliveredEvent } from '@attractor/journal';
import { type ContentPart, getModelInfo, type ImagePart, type Usage } from '@attractor/llm';

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
  IMAGE: ({ source }) => ({
    type: 'image',
    source:
      source.url === undefined
        ? { type: 'base64', media_type: source.mediaType ?? 'image/png', data: source.data }
        : { type: 'url', url: source.url },
  }),
  TOOL_CALL: ({ toolCallId, toolName, args }) => ({ type: 'tool_use', id: toolCallId, name: toolName, input: args }),
};

/** Plain text stays plain; with images it is a list of blocks. */
export function contentOf(text: string, images: ReadonlyArray<ImagePart> = []): string | ReadonlyArray<Block> {
  return images.length === 0 ? text : blocksOf([{ kind: 'TEXT', text }, ...images]);
}

export type UsageShape = Readonly<
  Record<'input_tokens' | 'output_tokens' | 'cache_read_input_tokens' | 'cache_creation_input_tokens', number>
>;

/** In that API, cached input is counted beside `input_tokens`, not in it. */
export function usageOf(usage: Usage): UsageShape {
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  return {
    input_tokens: Math.max(0, usage.inputTokens - cacheRead - cacheWrite),
    output_tokens: usage.outputTokens,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
  };
}

/** One model's usage, in the spelling that readers of the result line know. */
export function modelUsageOf(
  model: string,
  { usage, costUsd }: { readonly usage: Usage; readonly costUsd: number | null },
): Readonly<Record<string, number | null>> {
  const tokens = usageOf(usage);
  const info = getModelInfo(model);
  return {
    inputTokens: tokens.input_tokens,
    outputTokens: tokens.output_tokens,
    cacheReadInputTokens: tokens.cache_read_input_tokens,
    cacheCreationInputTokens: tokens.cache_creation_input_tokens,
    contextWindow: info?.contextWindow ?? null,
    maxOutputTokens: info?.maxOutput ?? null,
    // None of the requests that are counted carries a search of the service.
    webSearchRequests: 0,
    costUSD: costUsd,
  };
}

type Answer = Pick<Extract<DeliveredEvent, { kind: 'ASSISTANT_MESSAGE' }>, 'content' | 'cutShort'>;

/** Why an answer ended; null if there is none. */
export function stopReasonOf(answer: Answer | null): string | null {
  if (answer === null) return null;
  if (answer.content.some((part) => part.kind === 'TOOL_CALL')) return 'tool_use';
  return answer.cutShort === undefined ? 'end_turn' : CUT_SHORT[answer.cutShort];
}

const CUT_SHORT = { length: 'max_tokens', content_filter: 'refusal' } as const;
