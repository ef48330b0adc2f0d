import { isRecord } from '@attractor/base';
import { countAt, type Fields, fieldsAt, type ForeignConversation, listAt, textAt } from './conversation.ts';
import { conversationOf, type NeutralMessage, textIn, usageOf } from './neutral-message.ts';

type Call = NonNullable<NeutralMessage['calls']>[number];
type Result = NonNullable<NeutralMessage['results']>[number];

/**
 * A task of Cline, a list of messages in Anthropic's form. Since 3.0 it is below `messages` (`ID.messages.json`), with the folder in the file
 * beside it. Before (`api_conversation_history.json`) results are texts of the next message, beside what Cline told the model in each.
 */
export function readCline(lines: ReadonlyArray<Fields>): ForeignConversation {
  const messages = lines.flatMap((line) => (Array.isArray(line['messages']) ? listAt(line, 'messages') : line));
  const about = lines.find((line) => textAt(line, 'cwd') !== '') ?? {};
  const cwd = textAt(about, 'cwd') || messages.map(folderIn).find(Boolean) || '';
  let calls: ReadonlyArray<Call> = [];
  const said = messages.flatMap((message) => {
    const one = saidIn(message, calls);
    calls = one?.calls ?? [];
    return one ?? [];
  });
  const from = messages.map((message) => providerOf(fieldsAt(message, 'modelInfo'))).findLast(Boolean);
  return conversationOf(said, { cwd, provider: from ?? 'anthropic' });
}

function folderIn(message: Fields): string {
  return /Current Working Directory \(([^)]+)\)/.exec(textIn(listAt(message, 'content')))?.[1] ?? '';
}

/** Cline's names for services that we have under another. */
const PROVIDERS: Readonly<Record<string, string>> = { 'openai-native': 'openai' };

function providerOf(info: Fields): string {
  const name = textAt(info, 'provider') || textAt(info, 'providerId');
  return PROVIDERS[name] ?? name;
}

/** `open`: the calls of the message before, whose results are to come. */
function saidIn(message: Fields, open: ReadonlyArray<Call>): NeutralMessage | null {
  const { role, content, ts } = message;
  if (role !== 'user' && role !== 'assistant') return null;
  const parts = typeof content === 'string' ? [{ type: 'text', text: content }] : listAt(message, 'content');
  const calls = parts
    .filter(({ type }) => type === 'tool_use')
    .map((part) => ({ id: textAt(part, 'id'), name: textAt(part, 'name'), args: fieldsAt(part, 'input') }));
  const told = role === 'user' ? resultsIn(parts, open) : { results: [], rest: parts };
  const info = fieldsAt(message, 'modelInfo');
  return {
    role,
    at: typeof ts === 'number' ? new Date(ts).toISOString() : '',
    text: role === 'user' ? wordsIn(told.rest) : textIn(parts),
    calls,
    results: told.results,
    model: textAt(info, 'id') || textAt(info, 'modelId'),
    usage: usageIn(fieldsAt(message, 'metrics')),
  };
}

function usageIn(metrics: Fields): NonNullable<NeutralMessage['usage']> {
  const tokens = fieldsAt(metrics, 'tokens');
  const input = countAt(metrics, 'inputTokens') || countAt(tokens, 'prompt') + countAt(tokens, 'cached');
  const output = countAt(metrics, 'outputTokens') || countAt(tokens, 'completion');
  return usageOf(input, output, countAt(metrics, 'cacheReadTokens') || countAt(tokens, 'cached'));
}

type Told = { readonly results: ReadonlyArray<Result>; readonly rest: ReadonlyArray<Fields> };

const RESULT = /^\[(\w+)(?: for '.*?')?\] Result:\s*/s;

function resultsIn(parts: ReadonlyArray<Fields>, open: ReadonlyArray<Call>): Told {
  const results: Result[] = [];
  const rest: Fields[] = [];
  for (const part of parts) {
    const [head = '', name] = RESULT.exec(textAt(part, 'text')) ?? [];
    const call = open.find((one) => one.name === name && results.every(({ id }) => id !== one.id));
    if (part['type'] === 'tool_result') results.push(resultOf(part));
    else if (call === undefined) rest.push(part);
    else results.push({ id: call.id, output: textAt(part, 'text').slice(head.length), isError: false });
  }
  return { results, rest };
}

function resultOf(part: Fields): Result {
  const { content } = part;
  const given = Array.isArray(content) ? content.filter(isRecord) : [];
  const output = typeof content === 'string' ? content : textIn(given) || given.map(answerIn).join('\n');
  return { id: textAt(part, 'tool_use_id'), output, isError: part['is_error'] === true || given.some(isFailed) };
}

/** Each of the files or commands that one call of 3.0 names has its own. */
function answerIn(part: Fields): string {
  return textAt(part, 'error') || textAt(part, 'result');
}

function isFailed(part: Fields): boolean {
  return part['success'] === false;
}

/** What Cline tells the model of itself with each message. */
const OWN_WORDS = /^(?:<environment_details>|# (?:task_progress|todo))/i;
const WRAPPED = /^<(task|feedback|user_message|user_input)(?: [^>]*)?>\s*([^]*?)\s*<\/\1>$/;

/** What the person said. */
function wordsIn(parts: ReadonlyArray<Fields>): string {
  const texts = parts.flatMap((part) => (part['type'] === 'text' ? textAt(part, 'text').trim() : []));
  return texts
    .filter((text) => !OWN_WORDS.test(text))
    .map((text) => WRAPPED.exec(text)?.[2] ?? text)
    .join('\n');
}
