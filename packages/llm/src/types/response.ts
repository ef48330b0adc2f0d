import type { ContentPart } from './content.ts';
import type { Message } from './message.ts';
import type { Usage } from './usage.ts';

export type FinishReason = {
  readonly reason: 'stop' | 'length' | 'tool_calls' | 'content_filter' | 'error' | 'other';
  /** The provider's own word. */
  readonly raw: string;
};

export type Warning = { readonly message: string; readonly code?: string };

/** Informational; from the provider's headers. */
export type RateLimitInfo = {
  readonly requestsLimit?: number;
  readonly requestsRemaining?: number;
  readonly tokensLimit?: number;
  readonly tokensRemaining?: number;
  readonly resetAt?: string;
};

export type Response = {
  readonly id: string;
  readonly model: string;
  readonly provider: string;
  readonly message: Message;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly warnings: ReadonlyArray<Warning>;
  readonly rateLimit?: RateLimitInfo;
};

export type ResponseToolCall = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly args: Readonly<Record<string, unknown>>;
};

/** TEXT parts joined; '' if there are none. */
export function responseText(response: Pick<Response, 'message'>): string {
  return response.message.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}

/** THINKING parts joined; redacted thinking is not text. */
export function responseReasoning(response: Pick<Response, 'message'>): string {
  return response.message.content.map((part) => (part.kind === 'THINKING' ? part.text : '')).join('');
}

/** The calls that the model makes, in order; empty if there are none. */
export function responseToolCalls(response: Pick<Response, 'message'>): ReadonlyArray<ResponseToolCall> {
  return response.message.content
    .filter(isToolCall)
    .map(({ toolCallId, toolName, args }) => ({ toolCallId, toolName, args }));
}

function isToolCall(part: ContentPart): part is Extract<ContentPart, { kind: 'TOOL_CALL' }> {
  return part.kind === 'TOOL_CALL';
}
