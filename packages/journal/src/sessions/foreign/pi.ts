import {
  countAt,
  type Fields,
  fieldsAt,
  type ForeignConversation,
  gapNotes,
  listAt,
  textAt,
  wayUp,
} from './conversation.ts';
import { conversationOf, type NeutralMessage, textIn, usageOf } from './neutral-message.ts';

/**
 * A session of pi: a line about it, then entries that form a tree by `parentId`; the conversation is the path from the last one up. An entry
 * about a compaction stands for everything before the first entry that it kept.
 */
export function readPi(lines: ReadonlyArray<Fields>): ForeignConversation {
  const { path, gaps } = wayTo(lines.filter((line) => line['type'] !== 'session'));
  const cut = path.findLastIndex(({ type }) => type === 'compaction');
  const summary = path[cut];
  const kept = summary === undefined ? path : [summary, ...since(path, textAt(summary, 'firstKeptEntryId'), cut)];
  const said = kept.flatMap(saidIn);
  const cwd = textAt(lines.find(({ type }) => type === 'session') ?? {}, 'cwd');
  const provider = lines.map((line) => textAt(fieldsAt(line, 'message'), 'provider')).findLast(Boolean) ?? 'anthropic';
  return { ...conversationOf(said, { cwd, provider }), left: gapNotes(gaps) };
}

/** Older files have no ids: then every line counts. */
function wayTo(entries: ReadonlyArray<Fields>): { readonly path: ReadonlyArray<Fields>; readonly gaps: number } {
  if (entries.every((entry) => textAt(entry, 'id') === '')) return { path: entries, gaps: 0 };
  const { way, gaps } = wayUp(entries, entries.at(-1), { id: 'id', parent: 'parentId' });
  return { path: [...way].toReversed(), gaps };
}

function since(path: ReadonlyArray<Fields>, id: string, cut: number): ReadonlyArray<Fields> {
  const from = path.findIndex((entry) => textAt(entry, 'id') === id);
  return path.slice(from < 0 ? cut + 1 : from).filter(({ type }) => type !== 'compaction');
}

function saidIn(entry: Fields): ReadonlyArray<NeutralMessage> {
  const at = textAt(entry, 'timestamp');
  if (entry['type'] === 'compaction')
    return [{ role: 'user', at, text: `Summary of what came before:\n${textAt(entry, 'summary')}` }];
  const message = fieldsAt(entry, 'message');
  const parts = listAt(message, 'content');
  const text = typeof message['content'] === 'string' ? message['content'] : textIn(parts);
  if (message['role'] === 'user') return [{ role: 'user', at, text }];
  if (message['role'] === 'toolResult')
    return [
      {
        role: 'user',
        at,
        text: '',
        results: [{ id: textAt(message, 'toolCallId'), output: text, isError: message['isError'] === true }],
      },
    ];
  if (message['role'] !== 'assistant') return [];
  const calls = parts
    .filter(({ type }) => type === 'toolCall')
    .map((part) => ({ id: textAt(part, 'id'), name: textAt(part, 'name'), args: fieldsAt(part, 'arguments') }));
  const tokens = fieldsAt(message, 'usage');
  const usage = usageOf(countAt(tokens, 'input'), countAt(tokens, 'output'), countAt(tokens, 'cacheRead'));
  return [{ role: 'assistant', at, text, calls, model: textAt(message, 'model'), usage }];
}
