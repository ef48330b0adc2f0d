import type { JournalRecord } from '../journal/journal.ts';
import { REDACTED } from '../redact/redact.ts';
import type { TruncationConfig } from '../truncation/index.ts';
import type { SessionEvent, ToolCallEndEvent } from '../types/index.ts';
import { advance, EMPTY_VIEW, openCalls, type SessionView } from './view.ts';

export type Replay = { readonly view: SessionView; readonly lastSeq: number };

/** The session that a journal holds. Records of unknown kinds or shapes are passed over. */
export function replay(records: ReadonlyArray<JournalRecord>, limits: TruncationConfig): Replay {
  let view = EMPTY_VIEW;
  for (const { event } of records) if (isKnown(event)) view = advance(view, event, limits);
  return { view, lastSeq: records.at(-1)?.seq ?? 0 };
}

const INTERRUPTED = 'interrupted: the process stopped while this ran; its effects are unknown';
const NOT_STORED =
  'not run: its arguments held a secret, which is never stored, and the process stopped; send the call again';

/**
 * The results that a dead process still owes: a call that had begun is never run again, and one whose arguments were not stored
 * whole can't be. Calls that never began stay open and run now.
 */
export function owedResults(view: SessionView): ReadonlyArray<ToolCallEndEvent> {
  return openCalls(view).flatMap((call) => {
    const begun = view.round?.started.includes(call.toolCallId) === true;
    const incomplete = JSON.stringify([call.args, call.rawArgs ?? '']).includes(REDACTED);
    if (!begun && !incomplete) return [];
    const output = begun ? INTERRUPTED : NOT_STORED;
    return [
      { kind: 'TOOL_CALL_END' as const, toolCallId: call.toolCallId, toolName: call.toolName, output, isError: true },
    ];
  });
}

type Check = 'string' | 'boolean' | 'object' | 'array';

/** The kinds that the view is made of, with the fields it reads. */
const SHAPES: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  SESSION_START: { sessionId: 'string' },
  SESSION_END: { sessionId: 'string' },
  SYSTEM_PROMPT: { content: 'string' },
  USER_INPUT: { content: 'string' },
  FOLLOW_UP_QUEUED: { content: 'string' },
  STEERING_QUEUED: { content: 'string' },
  STEERING_INJECTED: { content: 'string' },
  ASSISTANT_MESSAGE: { content: 'array', usage: 'object' },
  TOOL_CALL_START: { toolCallId: 'string', toolName: 'string' },
  TOOL_CALL_END: { toolCallId: 'string', toolName: 'string', output: 'string', isError: 'boolean' },
  LOOP_DETECTION: { message: 'string' },
  PROCESSING_END: {},
};

function isKnown(event: JournalRecord['event']): event is JournalRecord['event'] & SessionEvent {
  const shape = Object.hasOwn(SHAPES, event.kind) ? SHAPES[event.kind] : undefined;
  if (shape === undefined) return false;
  return Object.entries(shape).every(([name, check]) =>
    check === 'array' ? Array.isArray(event[name]) : typeof event[name] === check,
  );
}
