import { isRecord } from '@attractor/base';
import { type Fields, fieldsAt, type ForeignConversation, listAt, textAt } from './conversation.ts';
import { fieldsOf } from './session-database.ts';
import { conversationOf, type NeutralMessage, textIn } from './neutral-message.ts';

/**
 * A session of goose: a line about it (`working_dir`), then one for each message with `role` and `content`. What a summary replaced is still
 * there, marked as not for the agent.
 */
export function readGoose(lines: ReadonlyArray<Fields>): ForeignConversation {
  const about = lines.find((line) => textAt(line, 'working_dir') !== '') ?? {};
  const provider = textAt(about, 'provider_name') || 'anthropic';
  const model = textAt(modelIn(about), 'model_name');
  return conversationOf(
    lines.flatMap((line) => saidIn(line, model)),
    { cwd: textAt(about, 'working_dir'), provider },
  );
}

/** In the database it is a text. */
function modelIn(about: Fields): Fields {
  const kept = about['model_config_json'];
  return typeof kept === 'string' ? fieldsOf(kept) : fieldsAt(about, 'model_config');
}

function saidIn(message: Fields, model: string): ReadonlyArray<NeutralMessage> {
  const { role, created } = message;
  if (role !== 'user' && role !== 'assistant') return [];
  if (fieldsAt(message, 'metadata')['agentVisible'] === false) return [];
  const parts = listAt(message, 'content');
  const at = typeof created === 'number' ? new Date(created * 1000).toISOString() : '';
  const calls = parts
    .filter(({ type }) => type === 'toolRequest')
    .map((part) => {
      const call = fieldsAt(fieldsAt(part, 'toolCall'), 'value');
      return { id: textAt(part, 'id'), name: textAt(call, 'name'), args: fieldsAt(call, 'arguments') };
    });
  const results = parts
    .filter(({ type }) => type === 'toolResponse')
    .map((part) => resultOf(textAt(part, 'id'), fieldsAt(part, 'toolResult')));
  return [{ role, at, text: textIn(parts), calls, results, model }];
}

/** Older versions have the parts as the value itself, newer ones below `content`. */
function resultOf(id: string, result: Fields): NonNullable<NeutralMessage['results']>[number] {
  const { value } = result;
  const parts = Array.isArray(value) ? value.filter(isRecord) : listAt(fieldsAt(result, 'value'), 'content');
  const isError = result['status'] !== 'success' || fieldsAt(result, 'value')['isError'] === true;
  return { id, output: textIn(parts) || textAt(result, 'error'), isError };
}
