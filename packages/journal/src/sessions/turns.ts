import type { JournalRecord } from '../journal/journal.ts';

export type TurnCall = { readonly toolCallId: string; readonly toolName: string; readonly args: unknown };

export type TurnResult = {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly output: string;
  readonly isError: boolean;
};

/**
 * One entry of a session's history, numbered from 1 as in `history()`. `endSeq` is the last record that belongs to it: of a reply with
 * calls, their last result, since the two are never parted. A reply whose calls have not all been answered is not `complete`.
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
};

/** The turns that records add up to, one by one. */
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

/** How many turns there are, kept up to date record by record; `open` are the calls of the last reply that have no result yet. */
export type TurnCount = { readonly turns: number; readonly open: ReadonlyArray<string> };

export const NO_TURNS: TurnCount = { turns: 0, open: [] };

export function countTurn({ turns, open }: TurnCount, { event }: JournalRecord): TurnCount {
  if (KINDS[event.kind] !== undefined)
    return { turns: turns + 1, open: callsOf(event['content']).map(({ toolCallId }) => toolCallId) };
  if (event.kind !== 'TOOL_CALL_END' || open.length === 0) return { turns, open };
  const left = open.filter((id) => id !== event['toolCallId']);
  return { turns: left.length === 0 ? turns + 1 : turns, open: left };
}

function entryOf({ seq, at, event }: JournalRecord, turn: number): TurnEntry | null {
  const kind = KINDS[event.kind];
  if (kind === undefined) return null;
  const calls = kind === 'assistant' ? callsOf(event['content']) : [];
  const text = kind === 'assistant' ? textOf(event['content']) : stringOf(event['content']);
  return { turn, kind, at, seq, endSeq: seq, complete: calls.length === 0, text, calls, results: [] };
}

const KINDS: Readonly<Record<string, 'user' | 'steering' | 'assistant'>> = {
  USER_INPUT: 'user',
  STEERING_INJECTED: 'steering',
  ASSISTANT_MESSAGE: 'assistant',
};

function resultOf({ event }: JournalRecord): TurnResult | null {
  const { kind, toolCallId, toolName, output, isError } = event;
  if (kind !== 'TOOL_CALL_END') return null;
  return {
    toolCallId: stringOf(toolCallId),
    toolName: stringOf(toolName),
    output: stringOf(output),
    isError: isError === true,
  };
}

function callsOf(content: unknown): ReadonlyArray<TurnCall> {
  return partsOf(content)
    .filter((part) => part['kind'] === 'TOOL_CALL')
    .map(({ toolCallId, toolName, args }) => ({
      toolCallId: stringOf(toolCallId),
      toolName: stringOf(toolName),
      args,
    }));
}

function textOf(content: unknown): string {
  return partsOf(content)
    .filter((part) => part['kind'] === 'TEXT')
    .map((part) => stringOf(part['text']))
    .join('');
}

function partsOf(content: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> {
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
