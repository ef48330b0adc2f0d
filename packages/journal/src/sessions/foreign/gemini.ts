import { isRecord } from '@attractor/base';
import { type ContentPart, NO_USAGE, type Usage } from '@attractor/llm';
import {
  countAt,
  type Fields,
  fieldsAt,
  type ForeignConversation,
  type ForeignStep,
  listAt,
  textAt,
} from './conversation.ts';

/**
 * A chat of Gemini CLI: one object with `messages`, or one message per line after a line about the session. In lines, a message with an
 * earlier id replaces it, `$set` changes the session's data, and `$rewindTo` takes back everything after a message.
 */
export function readGemini(lines: ReadonlyArray<Fields>): ForeignConversation {
  const messages = new Map<string, Fields>();
  let cwd = '';
  for (const [index, line] of lines.entries()) {
    for (const message of listAt(line, 'messages'))
      messages.set(textAt(message, 'id') || `${index}:${messages.size}`, message);
    const set = fieldsAt(line, '$set');
    cwd = directoryOf(set) || directoryOf(line) || cwd;
    if (Array.isArray(set['messages'])) {
      messages.clear();
      for (const message of listAt(set, 'messages'))
        messages.set(textAt(message, 'id') || `${index}:${messages.size}`, message);
    }
    if (typeof line['$rewindTo'] === 'string') rewind(messages, line['$rewindTo']);
    if (typeof line['type'] === 'string') messages.set(textAt(line, 'id') || `line:${index}`, line);
  }
  const steps = [...messages.values()].flatMap(stepsOf);
  const models = steps.flatMap((step) => (step.kind === 'assistant' && step.model !== '' ? [step.model] : []));
  return { cwd, provider: 'gemini', model: models.at(-1) ?? null, steps, left: [] };
}

function directoryOf(about: Fields): string {
  const { directories } = about;
  return Array.isArray(directories) && typeof directories[0] === 'string' ? directories[0] : textAt(about, 'cwd');
}

/** The message itself goes too: it is what the person took back. */
function rewind(messages: Map<string, Fields>, id: string): void {
  if (!messages.has(id)) return;
  let isBehind = false;
  for (const known of messages.keys()) {
    isBehind ||= known === id;
    if (isBehind) messages.delete(known);
  }
}

function stepsOf(message: Fields): ReadonlyArray<ForeignStep> {
  const at = textAt(message, 'timestamp');
  const text = textOf(message['content']);
  if (message['type'] === 'user') return text === '' ? [] : [{ kind: 'user', at, text, images: [] }];
  if (message['type'] !== 'gemini' && message['type'] !== 'model') return [];
  const calls = listAt(message, 'toolCalls');
  const parts: ReadonlyArray<ContentPart> = [
    ...(text === '' ? [] : [{ kind: 'TEXT' as const, text }]),
    ...calls.map((call): ContentPart => ({
      kind: 'TOOL_CALL',
      toolCallId: textAt(call, 'id'),
      toolName: textAt(call, 'name'),
      args: fieldsAt(call, 'args'),
    })),
  ];
  if (parts.length === 0) return [];
  const usage = usageOf(fieldsAt(message, 'tokens'));
  const reply: ForeignStep = { kind: 'assistant', at, parts, usage, model: textAt(message, 'model'), responseId: '' };
  return [
    reply,
    ...calls.filter(({ result }) => result !== undefined && result !== null).map((call) => resultOf(call, at)),
  ];
}

function resultOf(call: Fields, at: string): ForeignStep {
  const isError = call['status'] === 'error' || call['status'] === 'cancelled';
  const output = listAt(call, 'result').map((part) =>
    answerOf(fieldsAt(fieldsAt(part, 'functionResponse'), 'response')),
  );
  const shown = output.filter(Boolean).join('\n') || textOf(call['result']) || textAt(call, 'resultDisplay');
  return { kind: 'result', at, toolCallId: textAt(call, 'id'), output: shown, isError, images: [] };
}

function answerOf(response: Fields): string {
  const [first] = ['output', 'error'].flatMap((name) => (typeof response[name] === 'string' ? [response[name]] : []));
  return first ?? (Object.keys(response).length === 0 ? '' : JSON.stringify(response));
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => (typeof part === 'string' ? part : isRecord(part) ? textAt(part, 'text') : '')).join('');
}

function usageOf(tokens: Fields): Usage {
  const inputTokens = countAt(tokens, 'input');
  const outputTokens = countAt(tokens, 'output') + countAt(tokens, 'thoughts');
  if (inputTokens + outputTokens === 0) return NO_USAGE;
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cacheReadTokens: countAt(tokens, 'cached'),
  };
}
