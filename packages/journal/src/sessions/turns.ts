import { defined } from '@attractor/base';
import type { SessionEvent } from '../events/event.ts';
import type { JournalRecord } from '../journal/journal.ts';
import { eventOf } from '../journal/read-event.ts';

export type TurnCall = { readonly toolCallId: string; readonly toolName: string; readonly args: unknown };

export type TurnResult = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: string;
  readonly isError: boolean;
};

/**
 * One entry of a session's history, numbered from 1 as in `history()`. `endSeq` is the last record that belongs to it: for a reply with
 * calls, their last result, since the two are never separated. A reply whose calls have not all been answered is not `complete`.
 */
export type TurnEntry = {
  readonly turn: number;
  readonly kind: 'user' | 'steering' | 'assistant' | 'tool_results';
  readonly at: string;
  readonly seq: number;
  readonly endSeq: number;
  readonly complete: boolean;
  readonly text: string;
  readonly calls: ReadonlyArray<TurnCall>;
  readonly results: ReadonlyArray<TurnResult>;
  /** What put it in; absent: a person said it, or the model. */
  readonly source?: NonNullable<Extract<SessionEvent, { readonly kind: 'STEERING_INJECTED' }>['source']>;
};

/** The turns in a list of records, one by one. */
export function* turnsOf(records: Iterable<JournalRecord>): Generator<TurnEntry, void> {
  let turn = 0;
  let reply: TurnEntry | null = null;
  let results: TurnResult[] = [];
  for (const record of records) {
    const next = entryOf(record, turn + 1);
    if (next !== null) {
      if (reply !== null) yield reply;
      reply = null;
      turn++;
      if (next.complete) yield next;
      else reply = next;
      results = [];
      continue;
    }
    const result = reply === null ? null : resultOf(record);
    if (reply === null || result === null || !reply.calls.some((call) => call.toolCallId === result.toolCallId))
      continue;
    results.push(result);
    if (results.length < reply.calls.length) continue;
    const { seq, at } = record;
    yield { ...reply, endSeq: seq, complete: true };
    yield {
      ...reply,
      turn: ++turn,
      kind: 'tool_results',
      at,
      seq,
      endSeq: seq,
      complete: true,
      text: '',
      calls: [],
      results,
    };
    reply = null;
  }
  if (reply !== null) yield { ...reply, results };
}

/** The number of turns, updated record by record; `open` are the calls of the last reply without a result. */
export type TurnCount = { readonly turns: number; readonly open: ReadonlyArray<string> };

export const NO_TURNS: TurnCount = { turns: 0, open: [] };

export function countTurn({ turns, open }: TurnCount, record: JournalRecord): TurnCount {
  const event = eventOf(record);
  if (event !== null && isTurn(event))
    return { turns: turns + 1, open: callsOf(event).map(({ toolCallId }) => toolCallId) };
  if (event?.kind !== 'TOOL_CALL_END' || open.length === 0) return { turns, open };
  const left = open.filter((id) => id !== event.toolCallId);
  return { turns: left.length === 0 ? turns + 1 : turns, open: left };
}

function entryOf(record: JournalRecord, turn: number): TurnEntry | null {
  const event = eventOf(record);
  if (event === null || !isTurn(event)) return null;
  const { seq, at } = record;
  const calls = callsOf(event);
  const complete = calls.length === 0;
  const by = event.kind === 'STEERING_INJECTED' ? defined({ source: event.source }) : {};
  return {
    turn,
    kind: KINDS[event.kind],
    at,
    seq,
    endSeq: seq,
    complete,
    text: textOf(event),
    calls,
    results: [],
    ...by,
  };
}

const KINDS = { USER_INPUT: 'user', STEERING_INJECTED: 'steering', ASSISTANT_MESSAGE: 'assistant' } as const;

type TurnEvent = Extract<SessionEvent, { readonly kind: keyof typeof KINDS }>;

function isTurn(event: SessionEvent): event is TurnEvent {
  return Object.hasOwn(KINDS, event.kind);
}

function resultOf(record: JournalRecord): TurnResult | null {
  const event = eventOf(record);
  if (event?.kind !== 'TOOL_CALL_END') return null;
  const { toolCallId, toolName, output, isError } = event;
  return { toolCallId, toolName, output, isError };
}

function callsOf(event: TurnEvent): ReadonlyArray<TurnCall> {
  if (event.kind !== 'ASSISTANT_MESSAGE') return [];
  return event.content.flatMap((part) => (part.kind === 'TOOL_CALL' ? [callOf(part)] : []));
}

function callOf({ toolCallId, toolName, args }: TurnCall): TurnCall {
  return { toolCallId, toolName, args };
}

function textOf(event: TurnEvent): string {
  if (event.kind !== 'ASSISTANT_MESSAGE') return event.content;
  return event.content.map((part) => (part.kind === 'TEXT' ? part.text : '')).join('');
}
