import type { ToolCallPart } from '@attractor/llm';
import type { Turn } from '../../types/index.ts';

export type TodoStatus = 'pending' | 'in_progress' | 'completed';

/** One step of the work, in the model's words. `activeForm`: its wording while it is being done. */
export type Todo = { readonly content: string; readonly status: TodoStatus; readonly activeForm?: string };

const STATUSES: ReadonlySet<unknown> = new Set<TodoStatus>(['pending', 'in_progress', 'completed']);

/** By tool name: the argument that holds the list, and the field that holds a step's text. */
const WRITERS: ReadonlyMap<string, { readonly list: string; readonly words: string }> = new Map([
  ['todo_write', { list: 'todos', words: 'content' }],
  ['TodoWrite', { list: 'todos', words: 'content' }],
  ['write_todos', { list: 'todos', words: 'description' }],
  ['update_plan', { list: 'plan', words: 'step' }],
]);

/**
 * The list as the model last wrote it, or as it came with an input after that. It exists only in the conversation: a resumed, forked or
 * rewound session has exactly the list of its own past, and a refused list does not count.
 */
export function todosOf(history: ReadonlyArray<Turn>): ReadonlyArray<Todo> {
  for (const [index, turn] of [...history.entries()].toReversed()) {
    if (turn.kind === 'user' && turn.todo !== undefined)
      return turn.todo.map((content) => ({ content, status: 'pending' }));
    if (turn.kind !== 'tool_results') continue;
    const calls = callsOf(history[index - 1]);
    for (const { toolCallId, isError } of turn.results.toReversed()) {
      const call = calls.find((one) => one.toolCallId === toolCallId);
      const writer = call === undefined ? undefined : WRITERS.get(call.toolName);
      if (!isError && call !== undefined && writer !== undefined) return todosIn(call.args[writer.list], writer.words);
    }
  }
  return [];
}

/** The list that a call writes; null if it is no call that writes one. */
export function writtenTodos(call: Pick<ToolCallPart, 'toolName' | 'args'>): ReadonlyArray<Todo> | null {
  const writer = WRITERS.get(call.toolName);
  return writer === undefined ? null : todosIn(call.args[writer.list], writer.words);
}

/** The steps in a call's list; invalid entries are left out. */
export function todosIn(list: unknown, words = 'content'): ReadonlyArray<Todo> {
  const entries: ReadonlyArray<unknown> = Array.isArray(list) ? list : [];
  return entries.flatMap((entry): ReadonlyArray<Todo> => {
    if (typeof entry !== 'object' || entry === null) return [];
    const { [words]: content, status, activeForm } = entry as Readonly<Record<string, unknown>>;
    if (typeof content !== 'string' || !isStatus(status)) return [];
    return [{ content, status, ...(typeof activeForm === 'string' ? { activeForm } : {}) }];
  });
}

function isStatus(value: unknown): value is TodoStatus {
  return STATUSES.has(value);
}

function callsOf(turn: Turn | undefined): ReadonlyArray<ToolCallPart> {
  return turn?.kind === 'assistant' ? turn.content.filter((part) => part.kind === 'TOOL_CALL') : [];
}
