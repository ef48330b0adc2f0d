import { defined } from '@attractor/base';
import { newUuid } from '@attractor/base/id';
import { type DeliveredEvent, recordUuid } from '@attractor/journal';
import { blocksOf, contentOf, stopReasonOf, usageOf } from './messages-shape.ts';
import type { MessageDeltas } from './message-deltas.ts';

export type Line = Readonly<Record<string, unknown>> & { readonly type: string };

export type LineOptions = {
  /** Also sends a message as it arrives; null: only whole messages. */
  readonly partial: MessageDeltas | null;
  /** Shortens a tool's output as for the model; the line carries what the model saw. */
  readonly shorten: (toolName: string, output: string) => string;
  /** The call that started a subagent; absent: there are none. */
  readonly callOf?: (subagentId: string) => string;
};

/** The lines of stream-json for one event of the session; most events have none. */
export function linesOf(event: DeliveredEvent, options: LineOptions): ReadonlyArray<Line> {
  const make = LINES[event.kind] as ((event: DeliveredEvent, options: LineOptions) => ReadonlyArray<Line>) | undefined;
  return make === undefined ? [] : make(event, options);
}

type Of<Kind extends DeliveredEvent['kind']> = Extract<DeliveredEvent, { kind: Kind }>;

const LINES: {
  readonly [Kind in DeliveredEvent['kind']]?: (event: Of<Kind>, options: LineOptions) => ReadonlyArray<Line>;
} = {
  ASSISTANT_TEXT_START: (event, { partial }) => streamed(event, partial),
  ASSISTANT_TEXT_DISCARDED: (event, { partial }) => streamed(event, partial),
  ASSISTANT_MESSAGE: (event, { partial }) => [
    ...streamed(event, partial),
    {
      type: 'assistant',
      message: {
        id: event.responseId,
        type: 'message',
        role: 'assistant',
        model: event.model,
        content: blocksOf(event.content),
        stop_reason: stopReasonOf(event),
        usage: usageOf(event.usage),
      },
      ...envelope(event),
    },
    ...refusalOf(event),
  ],
  TOOL_CALL_END: (event, { shorten }) => [
    {
      type: 'user',
      message: {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: event.toolCallId,
            content: contentOf(shorten(event.toolName, event.output), event.images),
            is_error: event.isError,
          },
        ],
      },
      ...envelope(event),
    },
  ],
  ASSISTANT_TEXT_DELTA: (event, { partial }) => streamed(event, partial),
  THINKING_DELTA: (event, { partial }) => streamed(event, partial),
  PERMISSION_DENIED: (event) => [
    {
      type: 'system',
      subtype: 'permission_denied',
      tool_name: event.toolName,
      tool_use_id: event.toolCallId,
      message: event.reason,
      ...ofSession(event),
    },
  ],
  WARNING: (event) => [informational(event.message, event)],
  HOOK_STARTED: (event) => [{ type: 'system', subtype: 'hook_started', ...hookOf(event), ...ofSession(event) }],
  HOOK_PROGRESS: (event) => [
    {
      type: 'system',
      subtype: 'hook_progress',
      ...hookOf(event),
      stdout: event.stdout,
      stderr: event.stderr,
      output: event.output,
      ...ofSession(event),
    },
  ],
  HOOK_ENDED: (event) => [
    {
      type: 'system',
      subtype: 'hook_response',
      ...hookOf(event),
      outcome: HOOK_OUTCOMES[event.status],
      output: event.stdout ?? event.problem ?? '',
      stdout: event.stdout ?? '',
      stderr: event.stderr ?? '',
      ...defined({ exit_code: event.exitCode }),
      ...ofSession(event),
    },
  ],
  LOOP_DETECTION: (event) => [informational(event.message, event)],
  CONNECTION_LOST: (event) => [
    {
      type: 'system',
      subtype: 'api_retry',
      attempt: event.attempt ?? 1,
      // Only time ends it.
      max_retries: Number.MAX_SAFE_INTEGER,
      retry_delay_ms: event.retryInMs,
      error_status: event.status ?? null,
      error: RETRIED[event.status ?? 0] ?? (event.status === undefined ? 'unknown' : 'server_error'),
      message: event.message,
      ...ofSession(event),
    },
  ],
  SUBAGENT_START: (event, options) => [
    {
      type: 'system',
      subtype: 'task_started',
      ...taskOf(event, options),
      task_type: 'local_agent',
      description: event.instruction.split('\n', 1)[0],
      prompt: event.instruction,
      ...defined({ subagent_type: event.agent }),
      ...ofSession(event),
    },
  ],
  SUBAGENT_END: (event, options) => [
    {
      type: 'system',
      subtype: 'task_notification',
      ...taskOf(event, options),
      status: TASK_ENDS[event.status],
      // What it said is the result of its call; no file has it.
      output_file: '',
      summary: event.result.output,
      ...ofSession(event),
    },
  ],
  COMPACTED: (event) => [
    {
      type: 'system',
      subtype: 'compact_boundary',
      compact_metadata: { trigger: event.trigger === 'manual' ? 'manual' : 'auto', pre_tokens: event.tokensBefore },
      ...ofSession(event),
    },
  ],
  SUBAGENT_EVENT: (event, options) =>
    linesOf(
      { ...event.event, seq: event.seq, at: event.at, sessionId: event.sessionId },
      { ...options, partial: options.partial?.of(event.subagentId) ?? null },
    ).map((line) => ({
      ...line,
      // It is in a journal of its own.
      uuid: newUuid(),
      parent_tool_use_id: options.callOf?.(event.subagentId) ?? event.subagentId,
    })),
};

/** No other model is asked then. */
function refusalOf(event: Of<'ASSISTANT_MESSAGE'>): ReadonlyArray<Line> {
  if (stopReasonOf(event) !== 'refusal') return [];
  const content = `${event.model} refused to answer.`;
  const about = { original_model: event.model, request_id: null, content };
  return [{ type: 'system', subtype: 'model_refusal_no_fallback', ...about, ...ofSession(event) }];
}

/** For people's eyes. `message` is how the first versions called `content`. */
export function informationalLine(text: string, sessionId: string): Line {
  const said = { content: text, message: text, level: 'notice' };
  return { type: 'system', subtype: 'informational', ...said, session_id: sessionId, uuid: newUuid() };
}

function informational(text: string, { sessionId }: DeliveredEvent): Line {
  return informationalLine(text, sessionId);
}

const RETRIED: Readonly<Record<number, string>> = { 429: 'rate_limit', 503: 'overloaded', 529: 'overloaded' };

const TASK_ENDS: Readonly<Record<Of<'SUBAGENT_END'>['status'], string>> = {
  completed: 'completed',
  error: 'failed',
  aborted: 'stopped',
  interrupted: 'stopped',
};

function taskOf({ subagentId }: Of<'SUBAGENT_START'> | Of<'SUBAGENT_END'>, { callOf }: LineOptions) {
  return { task_id: subagentId, ...defined({ tool_use_id: callOf?.(subagentId) }) };
}

type HookEvent = Of<'HOOK_STARTED'> | Of<'HOOK_PROGRESS'> | Of<'HOOK_ENDED'>;

function hookOf({ hookId, event, handler, toolCallId }: HookEvent): Readonly<Record<string, unknown>> {
  return {
    hook_id: hookId,
    hook_name: handler,
    hook_event: event,
    ...defined({ tool_use_id: toolCallId }),
  };
}

const HOOK_OUTCOMES: Readonly<Record<Of<'HOOK_ENDED'>['status'], string>> = {
  success: 'success',
  blocked: 'success',
  error: 'error',
  timeout: 'error',
  cancelled: 'cancelled',
};

function ofSession({ sessionId }: DeliveredEvent): Readonly<Record<string, unknown>> {
  return { session_id: sessionId, uuid: newUuid() };
}

function streamed(event: DeliveredEvent, partial: MessageDeltas | null): ReadonlyArray<Line> {
  return (partial?.take(event) ?? []).map((part) => ({
    type: 'stream_event',
    event: part,
    parent_tool_use_id: null,
    ...ofSession(event),
  }));
}

function envelope(event: DeliveredEvent): Readonly<Record<string, unknown>> {
  return { parent_tool_use_id: null, session_id: event.sessionId, uuid: recordUuid(event.sessionId, event.seq) };
}
