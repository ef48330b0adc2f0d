import { isObject, type JsonObject, listOf, stringOf } from '../../wire/json.ts';
import type { Failure } from '../../protocol.ts';
import { firstFailure, firstOf, invalid } from '../refuse.ts';
import { blocksOf } from './content.ts';

const TYPES: Record<string, ReadonlySet<string>> = {
  user: new Set(['text', 'image', 'document', 'search_result', 'tool_result', 'container_upload']),
  assistant: new Set([
    'text',
    'thinking',
    'redacted_thinking',
    'tool_use',
    'server_tool_use',
    'web_search_tool_result',
  ]),
};

/** Roles, order, and that no block is empty. */
export function checkMessages(body: JsonObject): Failure | undefined {
  const messages = listOf(body['messages']);
  if (messages.length === 0) return invalid('messages: at least one message is required');
  return firstFailure([
    () => firstOf(messages, checkShape),
    () => checkFirst(messages.filter(isObject)),
    () =>
      firstOf(messages.filter(isObject), (message, index) =>
        checkContent(message, index, index === messages.length - 1),
      ),
    () => checkLast(messages.findLast(isObject)),
  ]);
}

function checkShape(message: unknown, index: number): Failure | undefined {
  if (!isObject(message)) return invalid(`messages.${index}: Input should be a valid dictionary or object`);
  const role = message['role'];
  if (role === 'system') {
    return invalid(
      'messages: Unexpected role "system". The Messages API accepts a top-level `system` parameter, not "system" as an input message role.',
    );
  }
  if (role !== 'user' && role !== 'assistant')
    return invalid(`messages.${index}.role: Input should be 'user' or 'assistant'`);
  const extra = Object.keys(message).find((name) => name !== 'role' && name !== 'content');
  if (extra !== undefined) return invalid(`messages.${index}.${extra}: Extra inputs are not permitted`);
  const content = message['content'];
  if (content === undefined) return invalid(`messages.${index}.content: Field required`);
  if (typeof content === 'string') return undefined;
  if (!Array.isArray(content)) return invalid(`messages.${index}.content: Input should be a valid list`);
  return firstOf(content, (block, at) => checkBlock(block, `messages.${index}.content.${at}`, role));
}

function checkBlock(block: unknown, place: string, role: string): Failure | undefined {
  const type = isObject(block) ? block['type'] : undefined;
  if (!isObject(block) || typeof type !== 'string') return invalid(`${place}.type: Field required`);
  if (TYPES[role]?.has(type)) return type === 'text' ? checkText(block, place) : undefined;
  const other = role === 'user' ? 'assistant' : 'user';
  if (TYPES[other]?.has(type)) return invalid(`${place}: \`${type}\` blocks are not permitted in \`${role}\` messages`);
  return invalid(`${place}: Input tag '${type}' found using 'type' does not match any of the expected tags`);
}

function checkText(block: JsonObject, place: string): Failure | undefined {
  if (typeof block['text'] !== 'string') return invalid(`${place}.text.text: Field required`);
  const empty = block['text'] === '' && isObject(block['cache_control']);
  return empty ? invalid(`${place}.text: cache_control cannot be set for empty text blocks`) : undefined;
}

function checkFirst(messages: JsonObject[]): Failure | undefined {
  return messages[0]?.['role'] === 'user' ? undefined : invalid('messages: first message must use the "user" role');
}

function checkContent(message: JsonObject, index: number, last: boolean): Failure | undefined {
  const blocks = blocksOf(message['content']);
  const finalAssistant = last && message['role'] === 'assistant';
  const blank = message['content'] === '' || blocks.length === 0;
  if (blank && !finalAssistant) {
    return invalid(
      `messages.${index}: all messages must have non-empty content except for the optional final assistant message`,
    );
  }
  if (blank) return undefined;
  const nested = blocks.filter((block) => block['type'] === 'tool_result').flatMap((block) => nestedText(block));
  const texts = [...blocks.filter((block) => block['type'] === 'text'), ...nested].map((block) =>
    stringOf(block['text']),
  );
  if (texts.includes('')) return invalid('messages: text content blocks must be non-empty');
  if (texts.some((text) => text.trim() === ''))
    return invalid('messages: text content blocks must contain non-whitespace text');
  return undefined;
}

/** An empty result may be left out or be an empty string, but not a list with an empty text block. */
function nestedText(result: JsonObject): JsonObject[] {
  const content = result['content'];
  return Array.isArray(content)
    ? blocksOf(content).filter((block) => block['type'] === 'text' && block['text'] === '')
    : [];
}

function checkLast(message: JsonObject | undefined): Failure | undefined {
  if (message?.['role'] !== 'assistant') return undefined;
  const text = stringOf(blocksOf(message['content']).at(-1)?.['text']);
  return text === text.trimEnd()
    ? undefined
    : invalid('messages: final assistant content cannot end with trailing whitespace');
}
