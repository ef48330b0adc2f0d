import type { DeliveredEvent } from '@attractor/journal';
import { costOf } from '@attractor/llm';
import type { AgentDelta, AgentMessage, AgentMessageBody } from '../agent.ts';
import { fieldsOf, partsOf, type StoredEvent, textOf, usageOf } from './stored-event.ts';

/** What a stored event tells a person. The key is the event's place in the journal: told again, it is the same. */
export function messagesOf(stored: StoredEvent): ReadonlyArray<AgentMessage> {
  const bodies = TELLING[stored.event.kind]?.(stored) ?? [];
  return bodies.map((body, index) => ({ key: `${stored.seq}.${index}`, ...body }));
}

/** What an event shows while it happens; null when it shows nothing live. */
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

const TELLING: Readonly<Record<string, (stored: StoredEvent) => ReadonlyArray<AgentMessageBody>>> = {
  ASSISTANT_MESSAGE: (stored) => [...spoken(stored), spent(stored)],
  TOOL_CALL_START: (stored) => [{ kind: 'tool_call', ...callOf(stored), input: fieldsOf(stored, 'args') }],
  TOOL_CALL_END: (stored) => [
    {
      kind: 'tool_result',
      ...callOf(stored),
      output: textOf(stored, 'output'),
      isError: stored.event['isError'] === true,
    },
  ],
  SUBAGENT_END: (stored) => (stored.event['usage'] === undefined ? [] : [spent(stored)]),
  SESSION_RESUMED: ({ event }) => interruptions(event['interrupted']),
  WARNING: (stored) => [notice('warning', textOf(stored, 'message'))],
  LOOP_DETECTION: (stored) => [notice('warning', textOf(stored, 'message'))],
  CONTEXT_WARNING: ({ event }) => [
    notice('warning', `The context window is ${Math.round(Number(event['usagePercent']))} % full.`),
  ],
  COMPACTED: (stored) => [
    notice('info', 'The conversation was compacted; all of it stays in the journal.'),
    ...(textOf(stored, 'model') === '' ? [] : [spent(stored)]),
  ],
  TURN_LIMIT: () => [notice('warning', 'The limit of turns is reached.')],
  ERROR: (stored) => [notice('error', errorText(stored))],
};

/** A conversation that is only taken up again has nothing to tell; one whose calls were cut off has. */
function interruptions(calls: unknown): ReadonlyArray<AgentMessageBody> {
  if (!Array.isArray(calls) || calls.length === 0) return [];
  return [notice('warning', `The process stopped while ${calls.length} tool calls ran; the conversation goes on.`)];
}

function spoken(stored: StoredEvent): ReadonlyArray<AgentMessageBody> {
  return partsOf(stored).flatMap((part): ReadonlyArray<AgentMessageBody> => {
    if (part.kind === 'TOOL_CALL' || part.text === '') return [];
    return [{ kind: part.kind === 'TEXT' ? 'text' : 'thinking', text: part.text }];
  });
}

function spent(stored: StoredEvent): AgentMessageBody {
  const model = textOf(stored, 'model');
  const usage = usageOf(stored);
  return { kind: 'usage', model, usage, costUsd: costOf(model, usage) };
}

function callOf(stored: StoredEvent): { readonly toolCallId: string; readonly toolName: string } {
  return { toolCallId: textOf(stored, 'toolCallId'), toolName: textOf(stored, 'toolName') };
}

function notice(level: 'info' | 'warning' | 'error', text: string): AgentMessageBody {
  return { kind: 'notice', level, text };
}

function errorText({ event }: StoredEvent): string {
  const { error } = event;
  if (error instanceof Error) return error.message;
  return typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : 'unknown error';
}
