import { z } from 'zod';

/**
 * The script as data. One schema is the whole definition of the format; the types used elsewhere are
 * derived from it. Objects are closed: a misspelt field is an error, never silently ignored.
 */

const count = z.int().min(0);
const times = z.union([z.int().min(1), z.literal('forever')]);

const pattern = z.union([
  z.string(),
  z.strictObject({
    contains: z.string().optional(),
    equals: z.string().optional(),
    regex: z.string().refine(isRegex, 'expected a valid regular expression').optional(),
    not: z.string().optional(),
  }),
]);

const match = z.strictObject({
  system: pattern.optional(),
  firstUser: pattern.optional(),
  lastUser: pattern.optional(),
  model: pattern.optional(),
  protocol: z.enum(['anthropic', 'openai', 'openai-chat', 'gemini']).optional(),
  tool: z.string().optional(),
  headers: z.record(z.string(), pattern).optional(),
});

const expectation = z.strictObject({
  lastUser: pattern.optional(),
  firstUser: pattern.optional(),
  system: pattern.optional(),
  toolResult: pattern.optional(),
  toolResults: count.optional(),
  model: pattern.optional(),
  tools: z.array(z.string()).optional(),
  noTools: z.array(z.string()).optional(),
  headers: z.record(z.string(), pattern).optional(),
  body: pattern.optional(),
});

const capture = z.record(
  z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/),
  z.strictObject({
    from: z.enum(['system', 'firstUser', 'lastUser', 'toolResult', 'body']),
    regex: z.string().refine(isRegex, 'expected a valid regular expression'),
  }),
);

const literalCall = z.strictObject({
  name: z.string(),
  args: z.unknown().optional(),
  argsText: z.string().optional(),
  id: z.string().optional(),
});

const id = { id: z.string().optional() };
const abstractCall = z.discriminatedUnion('use', [
  z.strictObject({
    use: z.literal('read'),
    path: z.string(),
    offset: count.optional(),
    limit: count.optional(),
    ...id,
  }),
  z.strictObject({
    use: z.literal('edit'),
    path: z.string(),
    old: z.string(),
    new: z.string(),
    all: z.boolean().optional(),
    ...id,
  }),
  z.strictObject({ use: z.literal('write'), path: z.string(), content: z.string(), ...id }),
  z.strictObject({ use: z.literal('shell'), command: z.string(), timeoutMs: count.optional(), ...id }),
  z.strictObject({
    use: z.literal('grep'),
    pattern: z.string(),
    path: z.string().optional(),
    include: z.string().optional(),
    ...id,
  }),
  z.strictObject({ use: z.literal('glob'), pattern: z.string(), path: z.string().optional(), ...id }),
  z.strictObject({ use: z.literal('list'), path: z.string(), ...id }),
  z.strictObject({ use: z.literal('patch'), patch: z.string(), ...id }),
]);

const window = { times: times.optional(), after: count.optional() };
const kind = <K extends string>(name: K) => z.literal(name);
const faultObject = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: kind('rate_limit'),
    retryAfter: z.number().min(0).optional(),
    retryAfterMs: z.number().min(0).optional(),
    retryAfterDate: z.number().optional(),
    ...window,
  }),
  z.strictObject({ kind: kind('spend_cap'), ...window }),
  z.strictObject({
    kind: kind('status'),
    status: z.int().min(400).max(599),
    message: z.string().optional(),
    body: z.enum(['json', 'html', 'text', 'empty']).optional(),
    headers: z.record(z.string(), z.string()).optional(),
    ...window,
  }),
  z.strictObject({ kind: kind('overloaded'), at: z.enum(['status', 'start', 'output']).optional(), ...window }),
  z.strictObject({ kind: kind('unauthorized'), ...window }),
  z.strictObject({ kind: kind('forbidden'), ...window }),
  z.strictObject({ kind: kind('not_found'), ...window }),
  z.strictObject({ kind: kind('too_large'), ...window }),
  z.strictObject({ kind: kind('timeout'), ...window }),
  z.strictObject({ kind: kind('context_overflow'), ...window }),
  z.strictObject({ kind: kind('not_json'), status: z.int().optional(), text: z.string().optional(), ...window }),
  z.strictObject({
    kind: kind('cut'),
    atByte: count.optional(),
    atFraction: z.number().min(0).max(1).optional(),
    how: z.enum(['reset', 'end', 'clean']).optional(),
    ...window,
  }),
  z.strictObject({
    kind: kind('stall'),
    atByte: count.optional(),
    headers: z.enum(['sent', 'held']).optional(),
    forMs: count.optional(),
    ...window,
  }),
  z.strictObject({ kind: kind('pings'), everyMs: z.int().min(1).optional(), count: times.optional(), ...window }),
  z.strictObject({ kind: kind('slow'), bytes: z.int().min(1).optional(), everyMs: count.optional(), ...window }),
  z.strictObject({
    kind: kind('malformed_arguments'),
    how: z.enum([
      'truncated',
      'trailing_comma',
      'wrong_type',
      'not_object',
      'nan',
      'duplicate_keys',
      'proto',
      'huge',
      'empty',
    ]),
    size: z.int().min(1).optional(),
    ...window,
  }),
  z.strictObject({ kind: kind('tool_ids'), how: z.enum(['duplicate', 'empty', 'reused']), ...window }),
  z.strictObject({ kind: kind('unknown_tool'), name: z.string().optional(), ...window }),
  z.strictObject({
    kind: kind('truncated'),
    in: z.enum(['text', 'tool_call']).optional(),
    at: count.optional(),
    ...window,
  }),
  z.strictObject({ kind: kind('refusal'), message: z.string().optional(), ...window }),
  z.strictObject({ kind: kind('content_filter'), ...window }),
  z.strictObject({ kind: kind('empty'), ...window }),
  z.strictObject({ kind: kind('metadata_only'), ...window }),
  z.strictObject({ kind: kind('unknown_events'), ...window }),
  z.strictObject({
    kind: kind('framing'),
    lineEnd: z.enum(['lf', 'crlf', 'cr']).optional(),
    bom: z.boolean().optional(),
    comments: z.boolean().optional(),
    multiLine: z.boolean().optional(),
    ...window,
  }),
]);
/** Faults that need no fields may be written as their bare name. */
const faultName = z.enum([
  'rate_limit',
  'spend_cap',
  'overloaded',
  'unauthorized',
  'forbidden',
  'not_found',
  'too_large',
  'timeout',
  'context_overflow',
  'not_json',
  'cut',
  'stall',
  'pings',
  'slow',
  'unknown_tool',
  'truncated',
  'refusal',
  'content_filter',
  'empty',
  'metadata_only',
  'unknown_events',
]);
const fault = z.union([faultName.transform((name): z.output<typeof faultObject> => ({ kind: name })), faultObject]);

const usage = z.strictObject({
  input: count.optional(),
  output: count.optional(),
  cacheRead: count.optional(),
  cacheWrite: count.optional(),
  reasoning: count.optional(),
});

const turn = z.strictObject({
  name: z.string().optional(),
  thinking: z
    .union([
      z.string(),
      z.strictObject({ text: z.string(), redacted: z.boolean().optional(), always: z.boolean().optional() }),
    ])
    .optional(),
  text: z.string().optional(),
  object: z.unknown().optional(),
  found: z.array(z.strictObject({ url: z.string(), title: z.string() })).optional(),
  toolCalls: z.array(z.union([abstractCall, literalCall], { error: toolCallProblem })).optional(),
  expect: z.union([expectation, z.array(expectation)]).optional(),
  capture: capture.optional(),
  usage: usage.optional(),
  delayMs: count.optional(),
  eventDelayMs: count.optional(),
  deltaChars: z.int().min(1).optional(),
  chunkSize: z.union([z.int().min(1), z.strictObject({ random: z.int(), max: z.int().min(1).optional() })]).optional(),
  chunkBoundaries: z.array(z.int().min(1)).optional(),
  finish: z.string().optional(),
  fault: z.union([fault, z.array(fault)], { error: faultProblem }).optional(),
  repeat: times.optional(),
});

const conversation = z.strictObject({
  name: z.string().optional(),
  key: z.string().optional(),
  match: match.optional(),
  capture: capture.optional(),
  turns: z.array(turn),
  otherwise: turn.optional(),
});

const settings = {
  models: z.array(z.string()).optional(),
  apiKeys: z.array(z.string()).optional(),
  contextTokens: z.int().min(1).optional(),
  cacheMinTokens: count.optional(),
  requireThoughtSignatures: z.boolean().optional(),
};

export const scriptSchema = z
  .strictObject({
    ...settings,
    conversations: z.array(conversation).optional(),
    turns: z.array(turn).optional(),
    otherwise: turn.optional(),
    capture: capture.optional(),
  })
  .refine((script) => (script.conversations === undefined) !== (script.turns === undefined), {
    error: 'expected either "conversations" or the shorthand "turns", and not both',
  });

function isRegex(source: string): boolean {
  try {
    return new RegExp(source, 'su').source !== '';
  } catch {
    return false;
  }
}

function toolCallProblem(): string {
  return 'expected a literal call { name, args?, id? } or { use: read|edit|write|shell|grep|glob|list|patch, … } with the fields of that use';
}

function faultProblem(): string {
  return `expected a fault, as a name or as { kind, … }; the kinds are ${faultObject.options
    .map((option) => option.shape.kind.value)
    .join(', ')}`;
}
