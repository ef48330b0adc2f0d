import { isRecord } from '@attractor/base';
import { costOf, type Usage } from '@attractor/llm';
import type { AgentFailure, AgentMessageBody } from '../agent.ts';
import { meaningOf } from '../failure-words.ts';
import { countAt, NOTHING, notice, textAt, type Meaning, type Translation, unknownKind } from './meaning.ts';

type Line = Readonly<Record<string, unknown>>;

/** The tool of each call, the model that answers now, and what each model was told to have used. */
export type ClaudeState = {
  readonly tools: Readonly<Record<string, string>>;
  readonly model: string;
  readonly used: Readonly<Record<string, { readonly usage: Usage; readonly costUsd: number | null }>>;
};

export const CLAUDE_START: ClaudeState = { tools: {}, model: '', used: {} };

/** One line of `claude --output-format stream-json` → what it means. Control lines are not for here. */
export function translateClaude(state: ClaudeState, line: unknown): Translation<ClaudeState> {
  if (!isRecord(line)) return { state, told: unknownKind('Claude Code', typeof line, line) };
  const read = READERS[String(line['type'])];
  if (read === undefined) return { state, told: unknownKind('Claude Code', String(line['type']), line) };
  return read(state, line);
}

type Reader = (state: ClaudeState, line: Line) => Translation<ClaudeState>;

const READERS: Readonly<Record<string, Reader>> = {
  system: (state, line) => ({ state, told: systemTold(line) }),
  assistant: (state, line) => assistantTold(state, line),
  user: (state, line) => ({ state, told: { messages: resultsOf(state, line) } }),
  stream_event: (state, line) => streamTold(state, line),
  result: (state, line) => ({ state, told: resultTold(state, line) }),
  rate_limit_event: (state, line) => ({ state, told: limitTold(line) }),
  tool_progress: (state) => ({ state, told: NOTHING }),
  prompt_suggestion: (state) => ({ state, told: NOTHING }),
  command_lifecycle: (state) => ({ state, told: NOTHING }),
  keep_alive: (state) => ({ state, told: NOTHING }),
};

/** What these say is said otherwise, or concerns only the program itself. */
const QUIET: ReadonlySet<string> = new Set([
  'status',
  'thinking_tokens',
  'hook_started',
  'hook_progress',
  'hook_response',
  'task_started',
  'task_progress',
  'task_updated',
  'task_notification',
  'background_tasks_changed',
  'commands_changed',
  'files_persisted',
  'plugin_install',
  'session_state_changed',
  'post_turn_summary',
  'per_turn_effort_changed',
]);

function systemTold(line: Line): Meaning {
  const subtype = String(line['subtype']);
  if (subtype === 'init') {
    const session = textAt(line['session_id']);
    return session === null ? NOTHING : { messages: [], session };
  }
  if (QUIET.has(subtype)) return NOTHING;
  if (subtype === 'compact_boundary') return { messages: [notice('info', 'The conversation was compacted.')] };
  if (subtype === 'api_retry')
    return { messages: [notice('warning', `The model's service failed and is asked again${errorIn(line)}.`)] };
  if (subtype === 'informational' || subtype === 'permission_denied')
    return { messages: [notice('info', textAt(line['message']) ?? textAt(line['content']) ?? subtype)] };
  return unknownKind('Claude Code', `system/${subtype}`, line);
}

function errorIn(line: Line): string {
  const error = textAt(line['error']) ?? textAt(line['message']);
  return error === null ? '' : ` (${error})`;
}

function assistantTold(state: ClaudeState, line: Line): Translation<ClaudeState> {
  const messages: AgentMessageBody[] = [];
  const tools: Record<string, string> = { ...state.tools };
  for (const part of contentOf(line)) {
    const [toolCallId, toolName] = [textAt(part['id']), textAt(part['name'])];
    if (part['type'] === 'text' && textAt(part['text']) !== '')
      messages.push({ kind: 'text', text: textAt(part['text']) ?? '' });
    else if (part['type'] === 'thinking' && textAt(part['thinking']) !== '')
      messages.push({ kind: 'thinking', text: textAt(part['thinking']) ?? '' });
    else if (part['type'] === 'tool_use' && toolCallId !== null && toolName !== null) {
      tools[toolCallId] = toolName;
      const input = isRecord(part['input']) ? part['input'] : {};
      messages.push({ kind: 'tool_call', toolCallId, toolName, input });
    }
  }
  return { state: { ...state, tools }, told: { messages } };
}

function resultsOf({ tools }: ClaudeState, line: Line): ReadonlyArray<AgentMessageBody> {
  return contentOf(line).flatMap((part): ReadonlyArray<AgentMessageBody> => {
    const toolCallId = textAt(part['tool_use_id']);
    if (part['type'] !== 'tool_result' || toolCallId === null) return [];
    const [output, isError] = [contentText(part['content']), part['is_error'] === true];
    return [{ kind: 'tool_result', toolCallId, toolName: tools[toolCallId] ?? 'tool', output, isError }];
  });
}

function contentOf({ message }: Line): ReadonlyArray<Line> {
  const content = isRecord(message) ? message['content'] : undefined;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .map((part) => (isRecord(part) ? (textAt(part['text']) ?? `[${String(part['type'])}]`) : ''))
    .join('\n');
}

/** Live text, and at the end of each answer what it used. */
function streamTold(state: ClaudeState, line: Line): Translation<ClaudeState> {
  const event = isRecord(line['event']) ? line['event'] : {};
  const delta = isRecord(event['delta']) ? event['delta'] : {};
  if (event['type'] === 'message_start' && isRecord(event['message']))
    return { state: { ...state, model: textAt(event['message']['model']) ?? state.model }, told: NOTHING };
  if (event['type'] === 'message_delta' && isRecord(event['usage'])) return countAnswer(state, event['usage']);
  const [text, thinking] = [textAt(delta['text']), textAt(delta['thinking'])];
  if (line['parent_tool_use_id'] !== null || event['type'] !== 'content_block_delta') return { state, told: NOTHING };
  if (text !== null) return { state, told: { messages: [], deltas: [{ kind: 'text_delta', text }] } };
  if (thinking === null) return { state, told: NOTHING };
  return { state, told: { messages: [], deltas: [{ kind: 'thinking_delta', text: thinking }] } };
}

function countAnswer(state: ClaudeState, counted: Line): Translation<ClaudeState> {
  const { model } = state;
  const usage = usageOf({
    plain: counted['input_tokens'],
    read: counted['cache_read_input_tokens'],
    written: counted['cache_creation_input_tokens'],
    output: counted['output_tokens'],
  });
  const costUsd = costOf(model, usage);
  const before = state.used[model] ?? { usage: NONE, costUsd: 0 };
  const sum = {
    usage: sumOf(before.usage, usage),
    costUsd: before.costUsd === null || costUsd === null ? null : before.costUsd + costUsd,
  };
  return {
    state: { ...state, used: { ...state.used, [model]: sum } },
    told: { messages: [{ kind: 'usage', model, usage, costUsd }] },
  };
}

const NONE: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

function sumOf(a: Usage, b: Usage, sign: 1 | -1 = 1): Usage {
  const of = (name: keyof Usage): number => Math.max(0, (a[name] ?? 0) + sign * (b[name] ?? 0));
  const [inputTokens, outputTokens] = [of('inputTokens'), of('outputTokens')];
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cacheReadTokens: of('cacheReadTokens'),
    cacheWriteTokens: of('cacheWriteTokens'),
  };
}

type Counted = { readonly plain: unknown; readonly read: unknown; readonly written: unknown; readonly output: unknown };

function usageOf({ plain, read, written, output }: Counted): Usage {
  const [cacheReadTokens, cacheWriteTokens] = [countAt(read), countAt(written)];
  const [inputTokens, outputTokens] = [countAt(plain) + cacheReadTokens + cacheWriteTokens, countAt(output)];
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens, cacheReadTokens, cacheWriteTokens };
}

/** The end of a turn, with what its answers did not tell: those of its own subagents. */
function resultTold(state: ClaudeState, line: Line): Meaning {
  const models = isRecord(line['modelUsage']) ? Object.entries(line['modelUsage']) : [];
  const messages = models.flatMap(([model, whole]) => (isRecord(whole) ? restOf(state, model, whole) : []));
  const failure = failureOf(line);
  return {
    messages: failure === null ? messages : [...messages, notice('error', failure.message)],
    over: { failure },
    ...(textAt(line['session_id']) === null ? {} : { session: textAt(line['session_id']) ?? '' }),
  };
}

function restOf({ used }: ClaudeState, model: string, whole: Line): ReadonlyArray<AgentMessageBody> {
  const told = used[model] ?? { usage: NONE, costUsd: 0 };
  const all = usageOf({
    plain: whole['inputTokens'],
    read: whole['cacheReadInputTokens'],
    written: whole['cacheCreationInputTokens'],
    output: whole['outputTokens'],
  });
  const usage = sumOf(all, told.usage, -1);
  if (usage.totalTokens === 0) return [];
  const cost = whole['costUSD'];
  const costUsd = typeof cost === 'number' && told.costUsd !== null ? Math.max(0, cost - told.costUsd) : null;
  return [{ kind: 'usage', model, usage, costUsd }];
}

const LIMITS: Readonly<Record<string, string>> = {
  error_max_turns: 'turn_limit',
  error_max_budget_usd: 'budget',
  error_during_execution: 'failed',
};

function failureOf(line: Line): AgentFailure | null {
  const subtype = String(line['subtype']);
  if (line['is_error'] !== true && subtype === 'success') return null;
  const errors = Array.isArray(line['errors']) ? line['errors'].filter((error) => typeof error === 'string') : [];
  const message = textAt(line['result']) ?? errors[0] ?? `Claude Code ended its turn with ${subtype}.`;
  if (/no conversation found/i.test(message))
    return { code: 'dead_session', message: `Claude Code: ${message}.`.replace(/\.\.$/, '.'), retryable: false };
  const code = LIMITS[subtype] ?? 'failed';
  return { code, message, retryable: false, ...meaningOf(message), ...statusOf(line['api_error_status']) };
}

/** What the model's service answered says more than the words. */
function statusOf(status: unknown): Partial<AgentFailure> {
  if (status === 401 || status === 403) return { code: 'authentication', retryable: false };
  if (status === 429) return { code: 'rate_limit', retryable: true };
  return typeof status === 'number' && status >= 500 ? { code: 'service', retryable: true } : {};
}

function limitTold(line: Line): Meaning {
  const info = isRecord(line['rate_limit_info']) ? line['rate_limit_info'] : {};
  if (info['status'] === 'allowed' || info['status'] === undefined) return NOTHING;
  return {
    messages: [
      notice('warning', `A limit of the provider is near or reached (${textAt(info['status']) ?? 'unknown'}).`),
    ],
  };
}
