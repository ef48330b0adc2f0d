import { countAt, type Fields, fieldsAt, type ForeignConversation, listAt, textAt } from './conversation.ts';
import { conversationOf, type NeutralMessage, textIn, usageOf } from './neutral-message.ts';

/** A session of opencode: what `opencode export` writes (`info`, `messages`), or a line for each message with its `info` and `parts`. */
export function readOpencode(lines: ReadonlyArray<Fields>): ForeignConversation {
  const exported = lines.flatMap((line) => listAt(line, 'messages'));
  const messages = exported.length > 0 ? exported : lines.filter((line) => Array.isArray(line['parts']));
  const infos = lines.map((line) => fieldsAt(line, 'info'));
  const cwd = [...infos, ...lines].map((about) => textAt(about, 'directory')).find(Boolean) ?? '';
  const provider = messages.map((message) => providerOf(fieldsAt(message, 'info'))).findLast(Boolean) ?? 'anthropic';
  return conversationOf(messages.flatMap(saidIn), { cwd, provider });
}

function providerOf(info: Fields): string {
  return textAt(info, 'providerID') || textAt(fieldsAt(info, 'model'), 'providerID');
}

function saidIn(message: Fields): ReadonlyArray<NeutralMessage> {
  const info = fieldsAt(message, 'info');
  const parts = listAt(message, 'parts');
  const created = countAt(fieldsAt(info, 'time'), 'created');
  const at = created === 0 ? '' : new Date(created).toISOString();
  const text = textIn(parts);
  if (info['role'] === 'user') return [{ role: 'user', at, text }];
  if (info['role'] !== 'assistant') return [];
  const tools = parts.filter(({ type }) => type === 'tool');
  const tokens = fieldsAt(info, 'tokens');
  const usage = usageOf(
    countAt(tokens, 'input'),
    countAt(tokens, 'output'),
    countAt(fieldsAt(tokens, 'cache'), 'read'),
  );
  return [
    {
      role: 'assistant',
      at,
      text,
      calls: tools.map((part) => ({
        id: textAt(part, 'callID'),
        name: textAt(part, 'tool'),
        args: fieldsAt(fieldsAt(part, 'state'), 'input'),
      })),
      results: tools.flatMap((part) => resultOf(textAt(part, 'callID'), fieldsAt(part, 'state'))),
      model: textAt(info, 'modelID'),
      usage,
    },
  ];
}

function resultOf(id: string, state: Fields): NonNullable<NeutralMessage['results']> {
  if (state['status'] === 'completed') return [{ id, output: textAt(state, 'output'), isError: false }];
  return state['status'] === 'error' ? [{ id, output: textAt(state, 'error'), isError: true }] : [];
}
