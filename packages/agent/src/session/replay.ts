import { type JournalRecord, lateOutputOf } from '@attractor/journal';

import { holdsMask } from '@attractor/redact';
import type { TruncationConfig } from '../truncation/index.ts';
import type { DeliveredEvent, SessionEvent, ToolCallEndEvent, Turn } from '../types/index.ts';
import { mended } from './mend.ts';
import { answersTo } from './questions.ts';
import { advance, EMPTY_VIEW, openCalls, type SessionView } from './view.ts';

export type Replay = { readonly view: SessionView; readonly lastSeq: number };

/** How many turns the fold carries; those before are set aside, so that a long session is not copied over and over. */
const CARRIED = 8;

/** The session that a journal holds. Records of unknown kinds or shapes are passed over; at null the fold begins anew. */
export function replay(records: Iterable<JournalRecord | null>, limits: TruncationConfig): Replay {
  const aside: Turn[] = [];
  let view = EMPTY_VIEW;
  let lastSeq = 0;
  let loopSeenAt = 0;
  for (const record of records) {
    if (record === null) {
      [view, lastSeq, loopSeenAt, aside.length] = [EMPTY_VIEW, 0, 0, 0];
      continue;
    }
    const { event, seq } = record;
    lastSeq = seq;
    if (!isKnown(event)) continue;
    for (const one of mended(view, event)) view = advance(view, one, limits);
    if (event.kind === 'LOOP_DETECTION') loopSeenAt = aside.length + view.turns.length;
    if (view.turns.length < CARRIED * 2) continue;
    aside.push(...view.turns.slice(0, CARRIED));
    view = { ...view, turns: view.turns.slice(CARRIED), turnsBefore: aside.length };
  }
  return { view: { ...view, turns: [...aside, ...view.turns], turnsBefore: 0, loopSeenAt }, lastSeq };
}

const INTERRUPTED = 'interrupted: the process stopped while this ran; its effects are unknown';
const NOT_STORED =
  'not run: its arguments held a secret, which is never stored, and the process stopped; send the call again';

/** `hasJournals`: children can be opened again. */
export type OwedSource = { readonly sessionId: string; readonly hasJournals: boolean };

/** What a session has to record before it goes on: that it was resumed, and what its last process left undone. */
export function owedEvents(view: SessionView, source: OwedSource): ReadonlyArray<SessionEvent> {
  const { sessionId } = source;
  const owed = owedResults(view);
  const interrupted = owed.map(({ toolCallId }) => toolCallId);
  return [{ kind: 'SESSION_RESUMED', sessionId, interrupted }, ...owed, ...interruptedChildren(view, source)];
}

/** A child that was at work is told to the model once; it goes on only when the model says so. */
function interruptedChildren(view: SessionView, { hasJournals }: OwedSource): ReadonlyArray<SessionEvent> {
  const cutOff = view.subagents.filter(({ status }) => status === 'running');
  if (cutOff.length === 0) return [];
  const how = hasJournals
    ? 'send_input lets one go on from where it was.'
    : 'What they knew is gone: start new ones if their work is still needed, after a look at what they changed.';
  const output = `interrupted: the process stopped while this agent worked; its effects are unknown. ${how}`;
  const result = { output, success: false, turnsUsed: 0 };
  const names = cutOff.map(({ id }) => id).join(', ');
  return [
    ...cutOff.map(({ id }): SessionEvent => {
      return { kind: 'SUBAGENT_END', subagentId: id, status: 'interrupted', result };
    }),
    {
      kind: 'STEERING_QUEUED',
      content: `The process was restarted and these agents were interrupted: ${names}. ${how}`,
    },
  ];
}

/**
 * The results that a dead process still owes: a call that had begun is never run again, and one whose arguments were not stored
 * whole can't be. Calls that never began stay open and run now, and so do questions that a person has answered.
 */
function owedResults(view: SessionView): ReadonlyArray<ToolCallEndEvent> {
  return openCalls(view).flatMap((call) => {
    if (answersTo(view, call.toolCallId) !== null) return [];
    const begun = view.round?.started.includes(call.toolCallId) === true;
    const incomplete = holdsMask(JSON.stringify([call.args, call.rawArgs ?? '']));
    if (!begun && !incomplete) return [];
    const output = begun ? INTERRUPTED : NOT_STORED;
    return [
      { kind: 'TOOL_CALL_END' as const, toolCallId: call.toolCallId, toolName: call.toolName, output, isError: true },
    ];
  });
}

/** A record as it was delivered; null when it is none that we know. An error comes back with its name, code and message. */
export function deliveredEvent({ event, seq, at }: JournalRecord, sessionId: string): DeliveredEvent | null {
  if (event.kind === 'ERROR') {
    const stored: Readonly<Record<string, unknown>> = typeof event['error'] === 'object' ? { ...event['error'] } : {};
    const { message, ...rest } = stored;
    return { kind: 'ERROR', error: Object.assign(new Error(String(message)), rest), seq, at, sessionId };
  }
  return isStored(event) ? { ...event, seq, at, sessionId } : null;
}

/** Written by us: a session reads only its own journal here. */
function isStored(
  event: JournalRecord['event'],
): event is JournalRecord['event'] & Exclude<SessionEvent, { kind: 'ERROR' }> {
  return event.kind !== 'ERROR';
}

/** `output`: a text that may still be in a file. */
type Check = 'output' | 'string' | 'number' | 'boolean' | 'object' | 'array';

/** The kinds that the view is made of, with the fields it reads. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  SESSION_START: { sessionId: 'string' },
  SESSION_END: { sessionId: 'string' },
  SYSTEM_PROMPT: { content: 'string' },
  USER_INPUT: { content: 'string' },
  USER_INPUT_REFUSED: {},
  HOOK_DECIDED: { toolCallId: 'string', decision: 'string' },
  FOLLOW_UP_QUEUED: { content: 'string' },
  STEERING_QUEUED: { content: 'string' },
  STEERING_INJECTED: { content: 'string' },
  ASSISTANT_MESSAGE: { content: 'array', usage: 'object' },
  TOOL_CALL_START: { toolCallId: 'string', toolName: 'string' },
  TOOL_CALL_END: { toolCallId: 'string', toolName: 'string', output: 'output', isError: 'boolean' },
  LOOP_DETECTION: { message: 'string' },
  APPROVAL_REQUESTED: { toolCallId: 'string' },
  APPROVAL_ANSWERED: { toolCallId: 'string', allowed: 'boolean' },
  QUESTION_ASKED: { toolCallId: 'string', questions: 'array' },
  QUESTION_ANSWERED: { toolCallId: 'string', answers: 'object' },
  COMMAND_INPUT: { name: 'string', text: 'string' },
  COMPACTED: { id: 'string', prefix: 'string', summary: 'string', keptTurns: 'number' },
  CONFIGURED: {},
  SUBAGENT_START: { subagentId: 'string', childSessionId: 'string', instruction: 'string' },
  SUBAGENT_END: { subagentId: 'string', status: 'string', result: 'object' },
  PROCESSING_END: {},
};

const SHAPES = new Map(Object.entries(FIELDS).map(([kind, fields]) => [kind, Object.entries(fields)]));

function isKnown(event: JournalRecord['event']): event is JournalRecord['event'] & SessionEvent {
  return SHAPES.get(event.kind)?.every(([name, check]) => fits(event, name, check)) ?? false;
}

function fits(event: JournalRecord['event'], name: string, check: Check): boolean {
  if (check === 'array') return Array.isArray(event[name]);
  if (check !== 'output') return typeof event[name] === check;
  return lateOutputOf(event) !== null || typeof event[name] === 'string';
}
