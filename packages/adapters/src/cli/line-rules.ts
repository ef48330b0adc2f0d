import { isRecord } from '@attractor/base';
import type { AgentMessageBody } from '../agent.ts';

const KINDS = ['text', 'thinking', 'tool_call', 'tool_result', 'usage', 'error'] as const;
const FIELDS = [
  'text',
  'toolCallId',
  'toolName',
  'input',
  'output',
  'isError',
  'model',
  'inputTokens',
  'outputTokens',
  'costUsd',
] as const;

type Field = (typeof FIELDS)[number];

/**
 * What a line of JSON means. `when` names values that it must have; the other fields are dotted paths to the values, such as
 * `"text": "message.content"`. Grammar of a path: name { "." name }, a number for an item of a list.
 */
export type LineRule = {
  readonly kind: (typeof KINDS)[number];
  readonly when: Readonly<Record<string, string | number | boolean>>;
} & Readonly<Partial<Record<Field, string>>>;

/** The rules, or what is wrong with them. */
export function lineRules(value: unknown): ReadonlyArray<LineRule> | string {
  if (!Array.isArray(value)) return '"lines" must be a list of rules';
  const rules: LineRule[] = [];
  for (const [index, item] of value.entries()) {
    const rule = readRule(item);
    if (typeof rule === 'string') return `lines[${index}] ${rule}`;
    rules.push(rule);
  }
  return rules;
}

function readRule(item: unknown): LineRule | string {
  if (!isRecord(item)) return 'must be an object';
  const kind = KINDS.find((known) => known === item['kind']);
  if (kind === undefined) return `needs a kind: one of ${KINDS.join(', ')}`;
  const when: Record<string, string | number | boolean> = {};
  const conditions = item['when'] ?? {};
  if (!isRecord(conditions)) return '"when" must be an object';
  for (const [path, wanted] of Object.entries(conditions)) {
    if (typeof wanted !== 'string' && typeof wanted !== 'number' && typeof wanted !== 'boolean')
      return `when.${path} must be a text, a number, true or false`;
    when[path] = wanted;
  }
  const paths: Partial<Record<Field, string>> = {};
  for (const field of FIELDS) {
    const path = item[field];
    if (path !== undefined && typeof path !== 'string') return `"${field}" must be a path such as "message.text"`;
    if (path !== undefined) paths[field] = path;
  }
  return { kind, when, ...paths };
}

/** Null if no rule matches, or the line lacks what its rule names. */
export function readLine(rules: ReadonlyArray<LineRule>, line: unknown, toolCallId: string): AgentMessageBody | null {
  const rule = rules.find(({ when }) => Object.entries(when).every(([path, wanted]) => at(line, path) === wanted));
  if (rule === undefined) return null;
  const field = (name: Field): unknown => (rule[name] === undefined ? undefined : at(line, rule[name]));
  return BODIES[rule.kind](field, textOf(field('toolCallId')) ?? toolCallId);
}

type Get = (name: Field) => unknown;

const BODIES: Readonly<Record<LineRule['kind'], (get: Get, toolCallId: string) => AgentMessageBody | null>> = {
  text: (get) => words('text', get),
  thinking: (get) => words('thinking', get),
  tool_call: (get, toolCallId) => {
    const input = get('input');
    return {
      kind: 'tool_call',
      toolCallId,
      toolName: textOf(get('toolName')) ?? 'tool',
      input: isRecord(input) ? input : { input: input ?? null },
    };
  },
  tool_result: (get, toolCallId) => ({
    kind: 'tool_result',
    toolCallId,
    toolName: textOf(get('toolName')) ?? 'tool',
    output: textOf(get('output')) ?? JSON.stringify(get('output') ?? ''),
    isError: get('isError') === true,
  }),
  usage: (get) => {
    const [inputTokens, outputTokens] = [count(get('inputTokens')), count(get('outputTokens'))];
    const cost = get('costUsd');
    return {
      kind: 'usage',
      model: textOf(get('model')) ?? '',
      usage: { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
      costUsd: typeof cost === 'number' && Number.isFinite(cost) && cost >= 0 ? cost : null,
    };
  },
  error: (get) => {
    const text = textOf(get('text'));
    return text === null ? null : { kind: 'notice', level: 'error', text };
  },
};

function words(kind: 'text' | 'thinking', get: Get): AgentMessageBody | null {
  const text = textOf(get('text'));
  return text === null || text === '' ? null : { kind, text };
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

function at(value: unknown, path: string): unknown {
  let current: unknown = value;
  for (const name of path.split('.')) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, name)) return undefined;
    current = Reflect.get(current, name);
  }
  return current;
}
