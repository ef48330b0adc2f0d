import { isRecord } from '@attractor/base';
import type { AgentMessageBody } from '../agent.ts';
import { countAt, NOTHING, notice, textAt, type Meaning, type Translation, unknownKind } from './meaning.ts';

type Line = Readonly<Record<string, unknown>>;

/** Text comes in pieces without an end: it is whole when something else comes. `cost` is the whole session's so far. */
export type AcpState = {
  readonly open: { readonly kind: 'text' | 'thinking'; readonly id: string; readonly text: string } | null;
  readonly tools: Readonly<Record<string, AcpTool>>;
  readonly costUsd: number | null;
  readonly finalText: string;
};

export type AcpTool = {
  readonly toolName: string;
  readonly input: Line;
  /** As the agent gave it, without what its title adds. */
  readonly raw: Line;
  readonly isTold: boolean;
  readonly title: string;
  readonly kind: string;
  readonly paths: ReadonlyArray<string>;
  readonly output: string;
};

export const ACP_START: AcpState = { open: null, tools: {}, costUsd: null, finalText: '' };

/** One `session/update` of an agent → what it means. */
export function translateAcp(state: AcpState, update: unknown): Translation<AcpState> {
  if (!isRecord(update)) return { state, told: unknownKind('The agent', typeof update, update) };
  const kind = String(update['sessionUpdate']);
  if (kind === 'agent_message_chunk') return grow(state, 'text', update);
  if (kind === 'agent_thought_chunk') return grow(state, 'thinking', update);
  if (kind === 'usage_update') return { state: { ...state, costUsd: costOf(update) ?? state.costUsd }, told: NOTHING };
  if (QUIET.has(kind)) return { state, told: NOTHING };
  const before = closeText(state);
  const read = READERS[kind];
  const after = read?.(before.state, update) ?? { state: before.state, told: unknownKind('The agent', kind, update) };
  return { state: after.state, told: joined(before.told, after.told) };
}

/** What was said so far is whole. */
export function closeText(state: AcpState): Translation<AcpState> {
  const { open } = state;
  if (open === null) return { state, told: NOTHING };
  const finalText = open.kind === 'text' ? open.text : state.finalText;
  const messages = open.text.trim() === '' ? [] : [{ kind: open.kind, text: open.text }];
  return { state: { ...state, open: null, finalText }, told: { messages } };
}

const QUIET: ReadonlySet<string> = new Set([
  'user_message_chunk',
  'available_commands_update',
  'config_option_update',
  'session_info_update',
  'compaction_summary_chunk',
]);

function grow(state: AcpState, kind: 'text' | 'thinking', update: Line): Translation<AcpState> {
  const content = isRecord(update['content']) ? update['content'] : {};
  const text = textAt(content['text']) ?? `[${String(content['type'])}]`;
  const id = textAt(update['messageId']) ?? state.open?.id ?? '';
  const isSame = state.open?.kind === kind && state.open.id === id;
  const before = isSame ? { state, told: NOTHING } : closeText(state);
  const open = { kind, id, text: `${isSame ? (state.open?.text ?? '') : ''}${text}` };
  const delta = { kind: kind === 'text' ? 'text_delta' : 'thinking_delta', text } as const;
  return { state: { ...before.state, open }, told: { messages: before.told.messages, deltas: [delta] } };
}

type Reader = (state: AcpState, update: Line) => Translation<AcpState>;

const READERS: Readonly<Record<string, Reader>> = {
  tool_call: (state, update) => callTold(state, update),
  tool_call_update: (state, update) => callTold(state, update),
  plan: (state, { entries }) => ({ state, told: { messages: [notice('info', planText(entries))] } }),
  current_mode_update: (state, { currentModeId }) => ({
    state,
    told: { messages: [notice('info', `The agent works in its mode ${String(currentModeId)} now.`)] },
  }),
  notice: (state, { severity, title, description }) => ({
    state,
    told: { messages: [notice(levelOf(severity), [title, description].filter(isText).join(': '))] },
  }),
  compaction_update: (state, { status }) => ({
    state,
    told: status === 'completed' ? { messages: [notice('info', 'The conversation was compacted.')] } : NOTHING,
  }),
};

/** A call is told when it is known what it does, and its result when it is over; an agent may say both at once. */
function callTold(state: AcpState, update: Line): Translation<AcpState> {
  const toolCallId = String(update['toolCallId']);
  const before = state.tools[toolCallId];
  const tool = toolOf(update, before);
  const messages: AgentMessageBody[] = [];
  const { toolName, input, output } = tool;
  const { status = 'pending' } = update;
  const isTold = before?.isTold === true || status !== 'pending' || saysWhat(tool);
  if (isTold && before?.isTold !== true) messages.push({ kind: 'tool_call', toolCallId, toolName, input });
  if (status === 'completed' || status === 'failed')
    messages.push({ kind: 'tool_result', toolCallId, toolName, output, isError: status === 'failed' });
  return { state: { ...state, tools: { ...state.tools, [toolCallId]: { ...tool, isTold } } }, told: { messages } };
}

/** Some agents name a call as soon as the model begins to write it, before there are arguments. */
function saysWhat({ kind, raw, title }: AcpTool): boolean {
  if (kind === 'execute') return commandIn(raw, '') !== '' || title.includes(' ');
  return Object.keys(raw).length > 0;
}

/** The name of our own tool of that kind, so that people and rules know it. */
const NAMES: Readonly<Record<string, string>> = {
  read: 'Read',
  edit: 'Edit',
  search: 'Grep',
  execute: 'Bash',
  fetch: 'WebFetch',
};

/** What an update, or a question about permission, says of a call, over what was known of it. */
export function toolOf(update: Line, before?: AcpTool): AcpTool {
  const kind = textAt(update['kind']) ?? before?.kind ?? 'other';
  const title = textAt(update['title']) ?? before?.title ?? kind;
  const raw = isRecord(update['rawInput']) ? update['rawInput'] : (before?.raw ?? { title });
  const contents = Array.isArray(update['content']) ? update['content'].filter(isRecord) : [];
  const locations = Array.isArray(update['locations']) ? update['locations'].filter(isRecord) : [];
  const paths = [...locations, ...contents].flatMap((part) => textAt(part['path']) ?? []);
  const output = contents.map(contentText).filter(isText).join('\n');
  return {
    kind,
    title,
    raw,
    isTold: before?.isTold === true,
    toolName: NAMES[kind] ?? textAt(update['name']) ?? before?.toolName ?? title,
    input: kind === 'execute' ? { ...raw, command: commandIn(raw, title) } : raw,
    paths: [...new Set([...(before?.paths ?? []), ...paths])],
    output: output === '' ? (before?.output ?? textAt(update['rawOutput']) ?? '') : output,
  };
}

/** A command as a list of words, under another name, or only in the title. */
function commandIn(raw: Line, title: string): string {
  const whole = textAt(raw['command']);
  if (whole !== null) return whole;
  const words = Array.isArray(raw['command']) ? raw['command'].filter(isText) : [];
  if (words.length > 0)
    return words.length === 3 && (words[0] ?? '').endsWith('sh') ? (words[2] ?? '') : words.join(' ');
  return textAt(raw['cmd']) ?? title.replaceAll('`', '');
}

function contentText(part: Line): string {
  if (part['type'] === 'diff') return `changed ${String(part['path'])}`;
  if (part['type'] === 'terminal') return `[terminal ${String(part['terminalId'])}]`;
  const content = isRecord(part['content']) ? part['content'] : {};
  return textAt(content['text']) ?? '';
}

function planText(entries: unknown): string {
  const steps = Array.isArray(entries) ? entries.filter(isRecord) : [];
  const lines = steps.map(({ content, status }) => `- [${status === 'completed' ? 'x' : ' '}] ${String(content)}`);
  return `Plan:\n${lines.join('\n')}`;
}

/** The answer to a prompt may say what it used, in one of two places. */
export function acpUsage(answer: Line): { readonly inputTokens: number; readonly outputTokens: number } | null {
  const meta = isRecord(answer['_meta']) ? answer['_meta'] : {};
  const quota = isRecord(meta['quota']) ? meta['quota'] : {};
  const counted = isRecord(answer['usage']) ? answer['usage'] : quota['token_count'];
  if (!isRecord(counted)) return null;
  const of = (...names: ReadonlyArray<string>): number => names.reduce((sum, name) => sum + countAt(counted[name]), 0);
  return {
    inputTokens: of('inputTokens', 'cachedReadTokens', 'cachedWriteTokens', 'input_tokens'),
    outputTokens: of('outputTokens', 'thoughtTokens', 'output_tokens'),
  };
}

function costOf({ cost }: Line): number | null {
  const amount = isRecord(cost) && cost['currency'] === 'USD' ? cost['amount'] : null;
  return typeof amount === 'number' ? amount : null;
}

function levelOf(severity: unknown): 'info' | 'warning' | 'error' {
  return severity === 'warning' || severity === 'error' ? severity : 'info';
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function joined(a: Meaning, b: Meaning): Meaning {
  return { ...b, messages: [...a.messages, ...b.messages] };
}
