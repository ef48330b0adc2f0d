import type { AssistantMessageEvent, DeliveredEvent, SessionEvent } from '@attractor/journal';
import { costOf, NO_USAGE, type Usage } from '@attractor/llm';
import type { AgentDelta, AgentMessage, AgentMessageBody } from '../agent.ts';

/** They have no place of their own in the journal: between two events of it each of them is told once. */
const UNSTORED: ReadonlySet<SessionEvent['kind']> = new Set<SessionEvent['kind']>([
  'CONNECTION_LOST',
  'CONNECTION_RESTORED',
]);

/** Whoever waits for a service is told why after so many attempts: most interruptions are over before. */
const TOLD_AT = 3;

/** An event as messages for a person. The key is the event's place in the journal: reported again, it is the same. */
export function messagesOf(seq: number, event: SessionEvent): ReadonlyArray<AgentMessage> {
  return bodiesOf(event).map((body, index) => ({
    key: `${seq}.${UNSTORED.has(event.kind) ? event.kind : index}`,
    ...body,
  }));
}

/** What an event shows while it happens; null if it shows nothing live. */
export function deltaOf(event: DeliveredEvent): AgentDelta | null {
  switch (event.kind) {
    case 'ASSISTANT_TEXT_DELTA':
      return { kind: 'text_delta', text: event.text };
    case 'THINKING_DELTA':
      return { kind: 'thinking_delta', text: event.text };
    case 'TOOL_CALL_OUTPUT_DELTA':
      return { kind: 'tool_output_delta', toolCallId: event.toolCallId, text: event.text };
    case 'ASSISTANT_TEXT_DISCARDED':
      return { kind: 'reset' };
    default:
      return null;
  }
}

function bodiesOf(event: SessionEvent): ReadonlyArray<AgentMessageBody> {
  switch (event.kind) {
    case 'ASSISTANT_MESSAGE':
      return [...spoken(event), spent(event)];
    case 'TOOL_CALL_START':
      return [{ kind: 'tool_call', toolCallId: event.toolCallId, toolName: event.toolName, input: event.args }];
    case 'TOOL_CALL_END': {
      const { toolCallId, toolName, output, isError } = event;
      return [{ kind: 'tool_result', toolCallId, toolName, output, isError }];
    }
    case 'ANSWER_UNUSED':
      return [spent(event)];
    case 'SUBAGENT_END':
      return event.usage === undefined ? [] : [spent(event)];
    case 'COMPACTED':
      return [
        notice('info', 'The conversation was compacted; all of it stays in the journal.'),
        // A summary without a model cost nothing.
        ...((event.model ?? '') === '' ? [] : [spent(event)]),
      ];
    default:
      return noticesOf(event);
  }
}

function noticesOf(event: SessionEvent): ReadonlyArray<AgentMessageBody> {
  switch (event.kind) {
    case 'SESSION_RESUMED':
      return interruptions(event.interrupted);
    case 'WARNING':
    case 'LOOP_DETECTION':
      return [notice('warning', event.message)];
    case 'CONNECTION_LOST':
      return event.attempt === TOLD_AT ? [notice('warning', `${event.message} ${WAITS}`)] : [];
    case 'CONNECTION_RESTORED':
      return (event.attempts ?? 0) >= TOLD_AT ? [notice('info', 'The model answers again.')] : [];
    case 'CONTEXT_WARNING':
      return [notice('warning', `The context window is ${Math.round(event.usagePercent)} % full.`)];
    case 'USER_INPUT_REFUSED':
    case 'PROCESSING_END': {
      const refusal = refusalIn(event);
      return refusal === null ? [] : [notice('warning', refusal)];
    }
    case 'TURN_LIMIT':
      return [notice('warning', 'The limit of turns is reached.')];
    case 'ERROR':
      return [notice('error', event.error.message)];
    default:
      return [];
  }
}

const WAITS = 'The model is asked again until it answers; nothing is lost.';

/** What a hook said no to: the whole input, or going on with it. Null: nothing. */
export function refusalIn(event: SessionEvent): string | null {
  if (event.kind === 'USER_INPUT_REFUSED') return `A hook refused the input: ${event.reason}`;
  const isStopped = event.kind === 'PROCESSING_END' && event.reason === 'hook_stopped';
  return isStopped ? `A hook stopped the work: ${event.message ?? ''}` : null;
}

/** A merely resumed conversation has nothing to report; one whose calls were cut off has. */
function interruptions(calls: ReadonlyArray<string>): ReadonlyArray<AgentMessageBody> {
  if (calls.length === 0) return [];
  return [notice('warning', `The process stopped while ${calls.length} tool calls ran; the conversation goes on.`)];
}

function spoken({ content }: AssistantMessageEvent): ReadonlyArray<AgentMessageBody> {
  return content.flatMap((part): ReadonlyArray<AgentMessageBody> => {
    if ((part.kind !== 'TEXT' && part.kind !== 'THINKING') || part.text === '') return [];
    return [{ kind: part.kind === 'TEXT' ? 'text' : 'thinking', text: part.text }];
  });
}

function spent({
  model = '',
  usage = NO_USAGE,
}: {
  readonly model?: string;
  readonly usage?: Usage;
}): AgentMessageBody {
  return { kind: 'usage', model, usage, costUsd: costOf(model, usage) };
}

function notice(level: 'info' | 'warning' | 'error', text: string): AgentMessageBody {
  return { kind: 'notice', level, text };
}
