import { isRecord } from '@attractor/base';
import type { EventKind, SessionEvent } from '../events/event.ts';
import type { JournalRecord } from './journal.ts';
import { lateOutputOf } from './late-output.ts';

/**
 * The only place where a record becomes an event again; null if its kind or shape is unknown. Fields that were added later may be missing.
 * An error comes back with its name, code and message.
 */
export function eventOf({ event }: Pick<JournalRecord, 'event'>): SessionEvent | null {
  if (event.kind === 'ERROR') return { kind: 'ERROR', error: errorOf(event['error']) };
  return isKnown(event) ? event : null;
}

function errorOf(stored: unknown): Error {
  const { message, ...rest } = isRecord(stored) ? stored : {};
  return Object.assign(new Error(String(message)), rest);
}

/** `output`: a text that may still be in a file. `parts`: a list of things that each have a kind. */
type Check = 'output' | 'parts' | 'string' | 'number' | 'boolean' | 'object' | 'array';

/** Every kind, with its required fields. An outline has no arguments of calls. */
const FIELDS: { readonly [Kind in EventKind]: Readonly<Record<string, Check>> } = {
  SESSION_START: { sessionId: 'string' },
  SESSION_RESUMED: { interrupted: 'array' },
  SESSION_END: { sessionId: 'string' },
  SYSTEM_PROMPT: { content: 'string' },
  USER_INPUT: { content: 'string' },
  USER_INPUT_REFUSED: {},
  FOLLOW_UP_QUEUED: { content: 'string' },
  STEERING_QUEUED: { content: 'string' },
  STEERING_INJECTED: { content: 'string' },
  ASSISTANT_TEXT_START: {},
  ASSISTANT_TEXT_DELTA: { text: 'string' },
  ASSISTANT_TEXT_END: {},
  ASSISTANT_TEXT_DISCARDED: {},
  THINKING_DELTA: { text: 'string' },
  ASSISTANT_MESSAGE: { content: 'parts', usage: 'object' },
  ANSWER_UNUSED: { usage: 'object', model: 'string' },
  TOOL_CALL_START: { toolCallId: 'string', toolName: 'string' },
  TOOL_CALL_OUTPUT_DELTA: { toolCallId: 'string', text: 'string' },
  TOOL_CALL_END: { toolCallId: 'string', toolName: 'string', output: 'output', isError: 'boolean' },
  APPROVAL_REQUESTED: { toolCallId: 'string' },
  APPROVAL_ANSWERED: { toolCallId: 'string', allowed: 'boolean' },
  PERMISSION_DENIED: { toolCallId: 'string', reason: 'string' },
  HOOK_STARTED: { hookId: 'string', event: 'string' },
  HOOK_PROGRESS: { hookId: 'string', event: 'string' },
  HOOK_ENDED: { hookId: 'string', event: 'string', status: 'string' },
  HOOK_DECIDED: { toolCallId: 'string', decision: 'string' },
  QUESTION_ASKED: { toolCallId: 'string', questions: 'array' },
  QUESTION_ANSWERED: { toolCallId: 'string', answers: 'object' },
  COMMAND_INPUT: { name: 'string', text: 'string' },
  COMPACTED: { id: 'string', prefix: 'string', summary: 'string', keptTurns: 'number' },
  CONFIGURED: {},
  TURN_LIMIT: {},
  LOOP_DETECTION: { message: 'string' },
  CONTEXT_WARNING: { usagePercent: 'number' },
  WARNING: { message: 'string' },
  USAGE: { usage: 'object' },
  CONNECTION_LOST: { message: 'string' },
  CONNECTION_RESTORED: {},
  ERROR: {},
  PROCESSING_END: {},
  SUBAGENT_START: { subagentId: 'string', childSessionId: 'string', instruction: 'string' },
  SUBAGENT_END: { subagentId: 'string', status: 'string', result: 'object' },
  SUBAGENT_EVENT: { subagentId: 'string', event: 'object' },
};

const SHAPES = new Map(Object.entries(FIELDS).map(([kind, fields]) => [kind, Object.entries(fields)]));

function isKnown(event: JournalRecord['event']): event is JournalRecord['event'] & SessionEvent {
  return SHAPES.get(event.kind)?.every(([name, check]) => fits(event, name, check)) ?? false;
}

function fits(event: JournalRecord['event'], name: string, check: Check): boolean {
  if (check === 'output') return lateOutputOf(event) !== null || typeof event[name] === 'string';
  const value = event[name];
  if (check === 'array') return Array.isArray(value);
  if (check === 'parts')
    return Array.isArray(value) && value.every((part) => isRecord(part) && typeof part['kind'] === 'string');
  return typeof value === check;
}
