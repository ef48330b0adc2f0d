import { isRecord } from '@attractor/base';
import { type Fields, fieldsAt, type ForeignConversation, listAt, textAt } from './conversation.ts';
import { conversationOf, type NeutralMessage, textIn } from './neutral-message.ts';

/** A task of Cline: `api_conversation_history.json`, a list of messages in Anthropic's form. */
export function readCline(lines: ReadonlyArray<Fields>): ForeignConversation {
  const said = lines.flatMap(saidIn);
  const cwd = said.map(({ text }) => /Current Working Directory \(([^)]+)\)/.exec(text)?.[1]).find(Boolean) ?? '';
  return conversationOf(said, { cwd, provider: 'anthropic' });
}

function saidIn(message: Fields): ReadonlyArray<NeutralMessage> {
  const { role, content, ts } = message;
  if (role !== 'user' && role !== 'assistant') return [];
  const parts = listAt(message, 'content');
  const at = typeof ts === 'number' ? new Date(ts).toISOString() : '';
  const calls = parts
    .filter(({ type }) => type === 'tool_use')
    .map((part) => ({ id: textAt(part, 'id'), name: textAt(part, 'name'), args: fieldsAt(part, 'input') }));
  const results = parts.filter(({ type }) => type === 'tool_result').map(resultOf);
  return [{ role, at, text: typeof content === 'string' ? content : textIn(parts), calls, results }];
}

function resultOf(part: Fields): NonNullable<NeutralMessage['results']>[number] {
  const { content } = part;
  const output = typeof content === 'string' ? content : textIn(Array.isArray(content) ? content.filter(isRecord) : []);
  return { id: textAt(part, 'tool_use_id'), output, isError: part['is_error'] === true };
}
