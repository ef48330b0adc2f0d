import type { ToolCallPart } from './content.ts';
import type { LlmError } from './error.ts';
import type { FinishReason, Response, Warning } from './response.ts';
import type { Usage } from './usage.ts';

/**
 * A model's answer while it arrives. A stream begins with STREAM_START and ends with exactly one FINISH or ERROR; it never throws. Every
 * START has its END; a TOOL_CALL_END carries the whole call. After ERROR no unfinished call may be run.
 */
export type StreamEvent =
  | {
      readonly kind: 'STREAM_START';
      readonly responseId?: string;
      readonly model?: string;
      readonly warnings?: ReadonlyArray<Warning>;
    }
  | { readonly kind: 'TEXT_START'; readonly id: string }
  | { readonly kind: 'TEXT_DELTA'; readonly id: string; readonly text: string }
  | { readonly kind: 'TEXT_END'; readonly id: string }
  | { readonly kind: 'THINKING_START'; readonly id: string }
  | { readonly kind: 'THINKING_DELTA'; readonly id: string; readonly text: string }
  | { readonly kind: 'THINKING_END'; readonly id: string; readonly signature?: string; readonly redactedData?: string }
  | { readonly kind: 'TOOL_CALL_START'; readonly toolCallId: string; readonly toolName: string }
  | { readonly kind: 'TOOL_CALL_DELTA'; readonly toolCallId: string; readonly argsDelta: string }
  | {
      readonly kind: 'TOOL_CALL_END';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly call: ToolCallPart;
    }
  | { readonly kind: 'PROVIDER_EVENT'; readonly data: unknown }
  | { readonly kind: 'FINISH'; readonly finishReason: FinishReason; readonly usage: Usage; readonly response: Response }
  | { readonly kind: 'ERROR'; readonly error: LlmError; readonly partial?: Response };
