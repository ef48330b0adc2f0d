import type { ContentPart, Usage } from '@attractor/llm';

/**
 * What happens in a session. Starts, deltas, ends: an end carries the whole value, deltas are never stored.
 * ASSISTANT_MESSAGE ends every model reply and is what resume reads; TOOL_CALL_END carries the full output.
 */
export type SessionEvent =
  | { readonly kind: 'SESSION_START'; readonly sessionId: string }
  | { readonly kind: 'SESSION_END'; readonly sessionId: string }
  | { readonly kind: 'USER_INPUT'; readonly content: string }
  | { readonly kind: 'STEERING_INJECTED'; readonly content: string }
  | { readonly kind: 'ASSISTANT_TEXT_START' }
  | { readonly kind: 'ASSISTANT_TEXT_DELTA'; readonly text: string }
  | { readonly kind: 'ASSISTANT_TEXT_END' }
  | { readonly kind: 'THINKING_DELTA'; readonly text: string }
  | AssistantMessageEvent
  | {
      readonly kind: 'TOOL_CALL_START';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'TOOL_CALL_OUTPUT_DELTA'; readonly toolCallId: string; readonly text: string }
  | ToolCallEndEvent
  | {
      readonly kind: 'APPROVAL_REQUESTED';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly args: Readonly<Record<string, unknown>>;
    }
  | {
      readonly kind: 'APPROVAL_ANSWERED';
      readonly toolCallId: string;
      readonly allowed: boolean;
      readonly reason?: string;
    }
  | { readonly kind: 'TURN_LIMIT'; readonly reason: 'max_tool_rounds' | 'max_turns' }
  | { readonly kind: 'LOOP_DETECTION'; readonly message: string }
  | { readonly kind: 'CONTEXT_WARNING'; readonly usagePercent: number }
  | { readonly kind: 'WARNING'; readonly message: string }
  | { readonly kind: 'ERROR'; readonly error: Error }
  | { readonly kind: 'PROCESSING_END' }
  | { readonly kind: 'SUBAGENT_EVENT'; readonly subagentId: string; readonly event: SessionEvent };

export type EventKind = SessionEvent['kind'];

export type AssistantMessageEvent = {
  readonly kind: 'ASSISTANT_MESSAGE';
  readonly content: ReadonlyArray<ContentPart>;
  readonly usage: Usage;
  readonly responseId: string;
  readonly model: string;
};

export type ToolCallEndEvent = {
  readonly kind: 'TOOL_CALL_END';
  readonly toolCallId: string;
  readonly toolName: string;
  /** Whole and untruncated; the model sees `truncateToolOutput` of it. */
  readonly output: string;
  readonly isError: boolean;
};

/** An event as delivered: `seq` orders, `at` (ISO time) only informs. */
export type DeliveredEvent = SessionEvent & { readonly seq: number; readonly at: string; readonly sessionId: string };
