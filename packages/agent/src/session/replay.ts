import { eventOf, type JournalRecord } from '@attractor/journal';
import { holdsMask } from '@attractor/redact';
import type { TruncationConfig } from '../truncation/index.ts';
import type { DeliveredEvent, SessionEvent, ToolCallEndEvent, Turn } from '../types/index.ts';
import { mendEvent } from './mend.ts';
import { answersTo } from './questions.ts';
import { advance, EMPTY_VIEW, openCalls, type SessionView } from '../conversation/view.ts';

/** `respondedAt`: when the model last answered, in milliseconds. Absent: never. */
export type Replay = { readonly view: SessionView; readonly lastSeq: number; readonly respondedAt?: number };

/** How many turns the fold carries; earlier ones are set aside, so that a long session is not copied over and over. */
const CARRIED = 8;

/** Rebuilds the session that a journal holds. Records of unknown kinds or shapes are skipped; at null the fold starts again. */
export function replay(records: Iterable<JournalRecord | null>, limits: TruncationConfig): Replay {
  const aside: Turn[] = [];
  let view = EMPTY_VIEW;
  let lastSeq = 0;
  let loopSeenAt = 0;
  let respondedAt = NaN;
  for (const record of records) {
    if (record === null) {
      [view, lastSeq, loopSeenAt, aside.length] = [EMPTY_VIEW, 0, 0, 0];
      continue;
    }
    const event = eventOf(record);
    lastSeq = record.seq;
    if (event === null) continue;
    for (const one of mendEvent(view, event)) view = advance(view, one, limits);
    if (event.kind === 'ASSISTANT_MESSAGE') respondedAt = Date.parse(record.at);
    if (event.kind === 'LOOP_DETECTION') loopSeenAt = aside.length + view.turns.length;
    if (view.turns.length < CARRIED * 2) continue;
    aside.push(...view.turns.slice(0, CARRIED));
    view = { ...view, turns: view.turns.slice(CARRIED), turnsBefore: aside.length };
  }
  const whole = { ...view, turns: [...aside, ...view.turns], turnsBefore: 0, loopSeenAt };
  return { view: whole, lastSeq, ...(Number.isNaN(respondedAt) ? {} : { respondedAt }) };
}

const INTERRUPTED = 'interrupted: the process stopped while this ran; its effects are unknown';
const NOT_STORED =
  'not run: its arguments held a secret, which is never stored, and the process stopped; send the call again';

/** `hasJournals`: children can be opened again. */
export type OwedSource = { readonly sessionId: string; readonly hasJournals: boolean };

/** What a session must record before it continues: that it was resumed, and what its last process left unfinished. */
export function owedEvents(view: SessionView, source: OwedSource): ReadonlyArray<SessionEvent> {
  const { sessionId } = source;
  const owed = owedResults(view);
  const interrupted = owed.map(({ toolCallId }) => toolCallId);
  return [{ kind: 'SESSION_RESUMED', sessionId, interrupted }, ...owed, ...interruptedChildren(view, source)];
}

/** The model is told once about a child that was working; the child continues only if the model says so. */
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
 * The results that a dead process still owes. A call that had begun is never run again, and one whose arguments were not stored whole can't
 * be. Calls that never began stay open and run now, and so do questions that a person has answered.
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

/** A record as the event that was delivered; null if its kind is unknown. */
export function deliveredEvent(record: JournalRecord, sessionId: string): DeliveredEvent | null {
  const event = eventOf(record);
  return event === null ? null : { ...event, seq: record.seq, at: record.at, sessionId };
}
