import { defined } from '@attractor/base';
import { newId } from '@attractor/base/id';
import { assistantMessage, type ContentPart, LlmError, type Message, messageText, NO_USAGE } from '@attractor/llm';
import type { Response as Reply, StreamEvent } from '@attractor/llm';
import type {
  OwnReply,
  ProgressEvent,
  ProviderError,
  ProviderResult,
  Response,
  ToolCall,
  ToolResult,
} from './provider.ts';

/** A provider's response or failure, as the last event of a stream. */
export function lowerAnswer(answer: ProviderResult<Response>, provider: string): StreamEvent {
  return answer.ok ? lowerReply(answer.value, provider) : lowerError(answer.error, provider);
}

/** Ends the work before one response too many. The session leaves the message open, so that it can be resumed. */
export function lowerLimit(provider: string): StreamEvent {
  const message = 'The limit of replies is reached.';
  return { kind: 'ERROR', error: new LlmError({ code: 'turn_limit', message, retryable: false, provider }) };
}

/** A call that the provider asks its host to run: a reply of its own, with the text before the call. */
export function lowerOwnCall(call: ToolCall, { text, model }: OwnReply, provider: string): StreamEvent {
  return lowerReply({ text, toolCalls: [call], isComplete: false, model, responseId: newId('rsp') }, provider);
}

/** The end of a text comes with the reply. A discarded text needs no event: the next one starts over. */
export function lowerProgress(event: ProgressEvent): ReadonlyArray<StreamEvent> {
  if (event.kind === 'ASSISTANT_TEXT_START') return [{ kind: 'STREAM_START' }];
  if (event.kind === 'ASSISTANT_TEXT_DELTA') return [{ kind: 'TEXT_DELTA', id: 'text', text: event.text }];
  return event.kind === 'THINKING_DELTA' ? [{ kind: 'THINKING_DELTA', id: 'thinking', text: event.text }] : [];
}

/** The tool results at the end of a request. Empty if it ends with a message. */
export function resultsIn(messages: ReadonlyArray<Message>): ReadonlyArray<ToolResult> {
  const from = messages.findLastIndex(({ role }) => role !== 'tool') + 1;
  return messages.slice(from).flatMap(({ content }) =>
    content.flatMap((part) => {
      if (part.kind !== 'TOOL_RESULT') return [];
      const { toolCallId, output, isError } = part;
      return [{ toolCallId, output, isError }];
    }),
  );
}

/** The last user message of a request. */
export function messageIn(messages: ReadonlyArray<Message>): string {
  const last = messages.findLast(({ role }) => role === 'user');
  return last === undefined ? 'Continue.' : messageText(last);
}

function lowerReply(response: Response, provider: string): StreamEvent {
  const reply = replyOf(response, provider);
  return { kind: 'FINISH', finishReason: reply.finishReason, usage: reply.usage, response: reply };
}

/** Not retryable, because providers retry by themselves. The detail, which is only for the log, becomes a warning. */
function lowerError({ code, message, detail }: ProviderError, provider: string): StreamEvent {
  const error = new LlmError({ code, message, retryable: false, provider });
  if (detail === undefined) return { kind: 'ERROR', error };
  const nothing = replyOf({ text: '', toolCalls: [], isComplete: true }, provider);
  return { kind: 'ERROR', error, partial: { ...nothing, warnings: [{ message: detail }] } };
}

function replyOf(response: Response, provider: string): Reply {
  const { text, isComplete, usage = NO_USAGE, model = 'unknown', responseId: id = newId('rsp') } = response;
  const message = assistantMessage(response.content ?? contentOf(response));
  const finishReason = { reason: isComplete ? 'stop' : 'tool_calls', raw: '' } as const;
  const warnings = isComplete && text.trim() === '' ? [NO_WORDS] : [];
  return { id, model, provider, message, finishReason, usage, warnings };
}

/** A complete response may have no text. This keeps the session from asking again. */
const NO_WORDS = { code: 'no_words', message: 'The response is complete and has no text.' };

function contentOf({ text, toolCalls }: Response): ReadonlyArray<ContentPart> {
  return [
    ...(text === '' ? [] : [{ kind: 'TEXT' as const, text }]),
    ...toolCalls.map(({ id, name, input, inputError }) => ({
      kind: 'TOOL_CALL' as const,
      toolCallId: id,
      toolName: name,
      args: input,
      ...defined({ argsError: inputError }),
    })),
  ];
}
