/**
 * What an agent did, one finished piece at a time, as `agent.message` events carry it in `data.message`.
 * `key` is unique in its run; the same piece told again has the same key.
 */
export type TranscriptMessage = { readonly key: string } & TranscriptBody;

type TranscriptBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | {
      readonly kind: 'tool_call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'tool_result';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly output: string;
      readonly isError: boolean;
    }
  | {
      readonly kind: 'usage';
      readonly model: string;
      readonly usage: MessageUsage;
      readonly costUsd: number | null;
    }
  | { readonly kind: 'notice'; readonly level: 'info' | 'warning' | 'error'; readonly text: string };

type MessageUsage = {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
};

/** Live pieces; `reset` takes back the unfinished text shown so far. */
export type TranscriptDelta =
  | { readonly kind: 'text_delta'; readonly text: string }
  | { readonly kind: 'thinking_delta'; readonly text: string }
  | { readonly kind: 'tool_output_delta'; readonly toolCallId: string; readonly text: string }
  | { readonly kind: 'reset' };
