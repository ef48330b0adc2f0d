import { isRecord } from '@attractor/base';
import { costOf } from '@attractor/llm';
import type { AgentFailure, AgentMessageBody } from '../agent.ts';
import { meaningOf } from '../failure-words.ts';
import { countAt, NOTHING, notice, textAt, type Meaning, type Translation, unknownKind } from './meaning.ts';
import { wrappedLine } from './wrapped-line.ts';

type Line = Readonly<Record<string, unknown>>;

export type CodexState = { readonly model: string };

/** One notification of `codex app-server` → what it means. Requests and answers are not for here. */
export function translateCodex(state: CodexState, method: string, params: Line): Translation<CodexState> {
  const item = isRecord(params['item']) ? params['item'] : {};
  if (method === 'item/started') return { state, told: { messages: begun(item) } };
  if (method === 'item/completed') return { state, told: doneTold(item) };
  if (method === 'thread/tokenUsage/updated') return { state, told: { messages: spent(state, params) } };
  if (method === 'turn/completed') return { state, told: turnTold(params) };
  const read = READERS[method];
  if (read !== undefined) return { state, told: read(params) };
  return { state, told: isQuiet(method) ? NOTHING : unknownKind('Codex', method, params) };
}

const READERS: Readonly<Record<string, (params: Line) => Meaning>> = {
  'item/agentMessage/delta': ({ delta }) => live('text_delta', delta),
  'item/reasoning/summaryTextDelta': ({ delta }) => live('thinking_delta', delta),
  'item/reasoning/textDelta': ({ delta }) => live('thinking_delta', delta),
  'item/commandExecution/outputDelta': ({ itemId, delta }) => ({
    messages: [],
    deltas: [{ kind: 'tool_output_delta', toolCallId: String(itemId), text: textAt(delta) ?? '' }],
  }),
  'turn/plan/updated': ({ plan }) => ({ messages: [notice('info', planText(plan))] }),
  warning: ({ message }) => ({ messages: [notice('warning', textAt(message) ?? 'Codex warns.')] }),
  configWarning: ({ summary, message }) => ({
    messages: [notice('warning', textAt(summary) ?? textAt(message) ?? 'Codex warns of its configuration.')],
  }),
  deprecationNotice: ({ summary }) => ({
    messages: [notice('info', textAt(summary) ?? 'Codex deprecates something.')],
  }),
  'model/rerouted': ({ toModel }) => ({ messages: [notice('warning', `Codex goes on with ${String(toModel)}.`)] }),
  // The turn's own end says it again.
  error: ({ willRetry, error }) =>
    willRetry === true && isRecord(error)
      ? { messages: [notice('warning', `${plainError(error['message'])} It tries again.`)] }
      : NOTHING,
};

/** What these say is said otherwise, or concerns only the program itself. */
const QUIET = [
  /^thread\/(?!compacted)/,
  /^turn\/(started|diff)/,
  /^account\//,
  /^item\/(plan|reasoning|fileChange|mcpToolCall|commandExecution)\//,
  /^(remoteControl|skills|app|hook|mcpServer|serverRequest|fs|process|project|environment|rawResponse|rawResponseItem)\b/,
];

function isQuiet(method: string): boolean {
  return QUIET.some((pattern) => pattern.test(method));
}

function live(kind: 'text_delta' | 'thinking_delta', delta: unknown): Meaning {
  const text = textAt(delta) ?? '';
  return text === '' ? NOTHING : { messages: [], deltas: [{ kind, text }] };
}

type Tool = { readonly toolName: string; readonly input: Line; readonly output: string; readonly isError: boolean };

const TOOLS: Readonly<Record<string, (item: Line) => Tool>> = {
  commandExecution: (item) => ({
    toolName: 'Bash',
    input: { command: shellTextOf(item) },
    output: textAt(item['aggregatedOutput']) ?? '',
    isError: item['status'] !== 'completed' || (item['exitCode'] !== null && item['exitCode'] !== 0),
  }),
  fileChange: (item) => ({
    toolName: 'apply_patch',
    input: { changes: changesOf(item) },
    output: item['status'] === 'completed' ? 'changed' : String(item['status']),
    isError: item['status'] !== 'completed',
  }),
  mcpToolCall: (item) => ({
    toolName: `mcp__${String(item['server'])}__${String(item['tool'])}`,
    input: isRecord(item['arguments']) ? item['arguments'] : {},
    output: mcpText(item),
    isError: item['status'] !== 'completed',
  }),
  dynamicToolCall: (item) => ({
    toolName: String(item['tool']),
    input: isRecord(item['arguments']) ? item['arguments'] : {},
    output: String(item['status']),
    isError: item['success'] === false,
  }),
  webSearch: (item) => ({
    toolName: 'WebSearch',
    input: { query: textAt(item['query']) ?? '' },
    output: '',
    isError: false,
  }),
};

function begun(item: Line): ReadonlyArray<AgentMessageBody> {
  const tool = TOOLS[String(item['type'])]?.(item);
  if (tool === undefined) return [];
  return [{ kind: 'tool_call', toolCallId: String(item['id']), toolName: tool.toolName, input: tool.input }];
}

function doneTold(item: Line): Meaning {
  const type = String(item['type']);
  const tool = TOOLS[type]?.(item);
  if (tool !== undefined) {
    const { toolName, output, isError } = tool;
    return { messages: [{ kind: 'tool_result', toolCallId: String(item['id']), toolName, output, isError }] };
  }
  if (type === 'agentMessage' || type === 'plan') return said('text', textAt(item['text']) ?? '');
  if (type === 'reasoning') return said('thinking', texts(item['summary']) || texts(item['content']));
  if (type === 'contextCompaction') return { messages: [notice('info', 'The conversation was compacted.')] };
  return SAID_ELSEWHERE.has(type) ? NOTHING : unknownKind('Codex', `item ${type}`, item);
}

const SAID_ELSEWHERE: ReadonlySet<string> = new Set(['userMessage', 'hookPrompt', 'imageView', 'sleep']);

function said(kind: 'text' | 'thinking', text: string): Meaning {
  return text === '' ? NOTHING : { messages: [{ kind, text }] };
}

function texts(value: unknown): string {
  return Array.isArray(value) ? value.filter((part) => typeof part === 'string').join('\n') : '';
}

/** Codex shows a command inside a login shell's. Its own summary of it may leave parts out, and so is not judged. */
export function shellTextOf(item: Line): string {
  return wrappedLine(textAt(item['command']) ?? '');
}

/** The files of a patch: what is changed, and where it is moved to. */
export function changesOf(item: Line): ReadonlyArray<{ readonly path: string; readonly diff: string }> {
  const changes = Array.isArray(item['changes']) ? item['changes'].filter(isRecord) : [];
  return changes.flatMap((change) => {
    const diff = textAt(change['diff']) ?? '';
    const moved = isRecord(change['kind']) ? textAt(change['kind']['move_path']) : null;
    const paths = [textAt(change['path']), moved].filter((path) => path !== null);
    return paths.map((path) => ({ path, diff }));
  });
}

function mcpText({ result, error }: Line): string {
  if (isRecord(error)) return textAt(error['message']) ?? 'failed';
  const content = isRecord(result) && Array.isArray(result['content']) ? result['content'].filter(isRecord) : [];
  return content.map((part) => textAt(part['text']) ?? '').join('\n');
}

function planText(plan: unknown): string {
  const steps = Array.isArray(plan) ? plan.filter(isRecord) : [];
  return `Plan:\n${steps.map(({ step, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${String(step)}`).join('\n')}`;
}

function spent({ model }: CodexState, params: Line): ReadonlyArray<AgentMessageBody> {
  const whole = isRecord(params['tokenUsage']) ? params['tokenUsage'] : {};
  const last = isRecord(whole['last']) ? whole['last'] : {};
  const [inputTokens, outputTokens] = [countAt(last['inputTokens']), countAt(last['outputTokens'])];
  if (inputTokens + outputTokens === 0) return [];
  const usage = {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cacheReadTokens: countAt(last['cachedInputTokens']),
    cacheWriteTokens: countAt(last['cacheWriteInputTokens']),
    reasoningTokens: countAt(last['reasoningOutputTokens']),
  };
  return [{ kind: 'usage', model, usage, costUsd: costOf(model, usage) }];
}

function turnTold(params: Line): Meaning {
  const turn = isRecord(params['turn']) ? params['turn'] : {};
  const status = String(turn['status']);
  if (status === 'completed') return { messages: [], over: { failure: null } };
  const failure = codexFailure(isRecord(turn['error']) ? turn['error'] : {}, status);
  return { messages: [notice('error', failure.message)], over: { failure } };
}

const CODES: Readonly<Record<string, Pick<AgentFailure, 'code' | 'retryable'>>> = {
  usageLimitExceeded: { code: 'rate_limit', retryable: true },
  rateLimitExceeded: { code: 'rate_limit', retryable: true },
  serverOverloaded: { code: 'service', retryable: true },
  internalServerError: { code: 'service', retryable: true },
  unauthorized: { code: 'authentication', retryable: false },
  contextWindowExceeded: { code: 'context_window', retryable: false },
  modelNotFound: { code: 'model', retryable: false },
};

function codexFailure(error: Line, status: string): AgentFailure {
  const message = plainError(error['message'] ?? `Codex ended its turn with the status ${status}.`);
  const info = error['codexErrorInfo'];
  const known = typeof info === 'string' ? CODES[info] : undefined;
  return { code: 'failed', retryable: false, ...meaningOf(message), ...known, message };
}

/** Codex passes on a service's answer as JSON text. */
function plainError(message: unknown): string {
  const text = String(message);
  try {
    const parsed: unknown = JSON.parse(text);
    const error = isRecord(parsed) ? parsed['error'] : null;
    return isRecord(error) ? (textAt(error['message']) ?? text) : text;
  } catch {
    return text;
  }
}
