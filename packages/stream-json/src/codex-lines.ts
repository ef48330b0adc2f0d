import { defined, isRecord } from '@attractor/base';
import { ownNameOf } from '@attractor/tool-table';
import type { Line } from './event-lines.ts';
import { callsIn, type Fields, resultsIn, textsIn } from './line-parts.ts';

/** Our lines as those of `codex exec --json`: a thread, one turn, and its items. Work of subagents is not in them. */
export function createCodexLines(): (line: Line) => ReadonlyArray<Line> {
  const open = new Map<string, Fields>();
  let count = 0;
  const item = (fields: Fields): Fields => ({ id: `item_${count++}`, ...fields });
  const started = (id: string, fields: Fields): Line => {
    const one = item(fields);
    open.set(id, one);
    return { type: 'item.started', item: one };
  };
  const completed = (one: Fields): Line => ({ type: 'item.completed', item: one });
  return (line) => {
    if (typeof line['parent_tool_use_id'] === 'string') return [];
    if (line.type === 'system' && line['subtype'] === 'init')
      return [{ type: 'thread.started', thread_id: line['session_id'] }, { type: 'turn.started' }];
    if (line.type === 'assistant')
      return [
        ...textsIn(line).map(({ kind, text }) => completed(item({ type: ITEMS[kind], text }))),
        ...callsIn(line).map(({ id, name, input }) => started(id, itemOf(name, input))),
      ];
    if (line.type === 'user')
      return resultsIn(line).flatMap(({ id, text, isError }) => {
        const one = open.get(id);
        open.delete(id);
        return one === undefined ? [] : [completed({ ...one, ...endOf(one, text, isError) })];
      });
    return line.type === 'result' ? endOfTurn(line, (text) => completed(item({ type: 'agent_message', text }))) : [];
  };
}

const ITEMS = { text: 'agent_message', thinking: 'reasoning' } as const;

const CHANGES: Readonly<Record<string, string>> = {
  write_file: 'add',
  edit_file: 'update',
  apply_patch: 'update',
  edit_notebook: 'update',
};

/** A call as the kind of item that readers know; what Codex has no kind for is a tool of a server called `attractor`. */
function itemOf(name: string, input: Fields): Fields {
  const own = ownNameOf(name);
  const status = 'in_progress';
  const command = input['command'] ?? input['cmd'];
  if (typeof command === 'string')
    return { type: 'command_execution', command, aggregated_output: '', exit_code: null, status };
  const kind = CHANGES[own];
  if (kind !== undefined) return { type: 'file_change', changes: [{ path: pathIn(input), kind }], status };
  const [, server = 'attractor', tool = name] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return { type: 'mcp_tool_call', server, tool, arguments: input, result: null, error: null, status };
}

function pathIn(input: Fields): string {
  const named = input['file_path'] ?? input['path'] ?? input['notebook_path'];
  const patch = input['patch'] ?? input['input'];
  const [, patched] = typeof patch === 'string' ? (PATCHED.exec(patch) ?? []) : [];
  return typeof named === 'string' ? named : (patched ?? '');
}

const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/m;

function endOf({ type }: Fields, output: string, isError: boolean): Fields {
  const status = isError ? 'failed' : 'completed';
  if (type === 'command_execution') {
    const [, code] = /exit(?:ed with)? code:? (\d+)/i.exec(output) ?? [];
    return { aggregated_output: output, exit_code: code === undefined ? (isError ? 1 : 0) : Number(code), status };
  }
  if (type === 'file_change') return { status };
  const result = { content: [{ type: 'text', text: output }], structured_content: null };
  return isError ? { error: { message: output }, status } : { result, status };
}

function endOfTurn(line: Line, say: (text: string) => Line): ReadonlyArray<Line> {
  if (line['is_error'] === true) {
    const message = String(line['result']);
    return [
      { type: 'error', message },
      { type: 'turn.failed', error: { message } },
    ];
  }
  const usage: Fields = isRecord(line['usage']) ? line['usage'] : {};
  const cached = Number(usage['cache_read_input_tokens'] ?? 0);
  const input = Number(usage['input_tokens'] ?? 0) + cached + Number(usage['cache_creation_input_tokens'] ?? 0);
  const value = line['structured_output'];
  return [
    ...(value === undefined ? [] : [say(JSON.stringify(value))]),
    {
      type: 'turn.completed',
      ...defined({
        usage: { input_tokens: input, cached_input_tokens: cached, output_tokens: usage['output_tokens'] },
      }),
    },
  ];
}
