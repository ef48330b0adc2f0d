import type { ToolCallPart } from '@attractor/llm';
import { ownNameOf, whatACallTouches } from '@attractor/tool-table';
import { todosOf, type Todo } from '../tools/todos/todos.ts';
import type { ToolResultEntry, Turn } from '../types/index.ts';

/** A message with the number of its turn (from 1). */
export type LedgerEntry = { readonly turn: number; readonly text: string; readonly isSteering: boolean };

/**
 * What must not be lost, word for word; it is kept outside every summary. Pure: the same turns give the same ledger in a live, resumed,
 * forked or rewound session.
 */
export type Ledger = {
  /** What people said, in order: requests, constraints, corrections. What follows the cut is in the request itself. */
  readonly words: ReadonlyArray<LedgerEntry>;
  /** The model's questions with the person's answers, and calls that a person refused with a reason. */
  readonly decisions: ReadonlyArray<LedgerEntry>;
  /** The plan that a person approved last. */
  readonly plan: string | null;
  /** Files that tools changed, the latest last. */
  readonly files: ReadonlyArray<string>;
  /** The open steps of the list as last written, with the ids that a summary must name. */
  readonly open: ReadonlyArray<OpenItem>;
  readonly doneSteps: number;
};

export type OpenItem = { readonly id: string; readonly text: string; readonly isActive: boolean };

/** `upto`: turns from there on are sent as they are, so what was said in them is not repeated. */
export function ledgerOf(turns: ReadonlyArray<Turn>, upto: number): Ledger {
  const found = {
    words: [] as LedgerEntry[],
    decisions: [] as LedgerEntry[],
    plan: null as string | null,
    files: new Set<string>(),
  };
  for (const [index, turn] of turns.entries()) {
    const word = index < upto ? wordOf(turn, index + 1) : null;
    if (word !== null) found.words.push(word);
    if (turn.kind !== 'tool_results') continue;
    for (const { call, result } of pairs(turns[index - 1], turn.results)) {
      for (const file of filesOf(call, result)) {
        found.files.delete(file);
        found.files.add(file);
      }
      if (index >= upto) continue;
      found.plan = planOf(call, result) ?? found.plan;
      const decision = decisionOf(call, result);
      if (decision !== null) found.decisions.push({ turn: index + 1, text: decision, isSteering: false });
    }
  }
  const todos = todosOf(turns);
  return {
    words: withoutRepeats(found.words),
    decisions: withoutRepeats(found.decisions),
    plan: found.plan,
    files: [...found.files],
    open: openItems(todos),
    doneSteps: todos.filter(({ status }) => status === 'completed').length,
  };
}

/** Text added by the session itself or by a hook is not a person's message. */
function wordOf(turn: Turn, number: number): LedgerEntry | null {
  if (turn.kind === 'steering')
    return turn.source === undefined ? { turn: number, text: turn.content, isSteering: true } : null;
  if (turn.kind !== 'user') return null;
  const images = turn.parts?.filter(({ kind }) => kind === 'IMAGE').length ?? 0;
  const text = images === 0 ? turn.content : `${turn.content}\n[with ${images} image${images === 1 ? '' : 's'}]`;
  return text.trim() === '' ? null : { turn: number, text, isSteering: false };
}

type Pair = { readonly call: ToolCallPart; readonly result: ToolResultEntry };

function pairs(reply: Turn | undefined, results: ReadonlyArray<ToolResultEntry>): ReadonlyArray<Pair> {
  const calls = reply?.kind === 'assistant' ? reply.content.filter((part) => part.kind === 'TOOL_CALL') : [];
  return results.flatMap((result) => {
    const call = calls.find(({ toolCallId }) => toolCallId === result.toolCallId);
    return call === undefined ? [] : [{ call, result }];
  });
}

function filesOf(call: ToolCallPart, { isError }: ToolResultEntry): ReadonlyArray<string> {
  const touch = isError ? null : whatACallTouches(call);
  return touch?.kind === 'files' ? touch.writes : [];
}

/** With the person's changes, if there are any. */
function planOf({ toolName, args }: ToolCallPart, { output, isError }: ToolResultEntry): string | null {
  if (isError || ownNameOf(toolName) !== 'exit_plan_mode') return null;
  const [, changed] = /begin with this one\.\n([^]*)$/.exec(output) ?? [];
  return changed ?? (typeof args['plan'] === 'string' ? args['plan'] : null);
}

const DENIED = 'Denied: ';

function decisionOf({ toolName, args }: ToolCallPart, { output, isError }: ToolResultEntry): string | null {
  if (toolName === 'AskUserQuestion') return isError ? null : output;
  if (!isError || !output.startsWith(DENIED)) return null;
  return `${toolName} ${JSON.stringify(args).slice(0, 300)}\n→ ${output}`;
}

/** A message repeated word for word appears once, where it was said last. */
function withoutRepeats(said: ReadonlyArray<LedgerEntry>): ReadonlyArray<LedgerEntry> {
  const last = new Map(said.map((one) => [one.text, one.turn]));
  return said.filter(({ text, turn }) => last.get(text) === turn);
}

function openItems(todos: ReadonlyArray<Todo>): ReadonlyArray<OpenItem> {
  return todos
    .filter(({ status }) => status !== 'completed')
    .map(({ content, status }, index) => ({
      id: `O${index + 1}`,
      text: content,
      isActive: status === 'in_progress',
    }));
}
