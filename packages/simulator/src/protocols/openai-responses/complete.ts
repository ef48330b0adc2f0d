import type { Answer, AnswerPart, Usage } from '../../answer/answer.ts';
import { sealThinking, shortHash } from '../../answer/signature.ts';
import { type JsonObject, listOf, objectOf, stringOf } from '../../wire/json.ts';
import type { ModelRequest } from '../../protocol.ts';
import { namespacedFunctions } from './parse.ts';

export function complete(answer: Answer, request: ModelRequest): string {
  const output = answer.parts.map((_part, index) => itemOf(answer, index, request));
  return JSON.stringify({ ...responseHead(answer, request), ...ending(answer), output, usage: usageOf(answer.usage) });
}

/** The response as it is before anything was said. */
export function responseHead({ seed, model }: Answer, { body }: ModelRequest): JsonObject {
  const reasoning = objectOf(body['reasoning']);
  return {
    id: `resp_${shortHash(`${seed}/response`, 48)}`,
    object: 'response',
    created_at: 1_750_000_000,
    status: 'in_progress',
    background: false,
    error: null,
    incomplete_details: null,
    instructions: body['instructions'] ?? null,
    max_output_tokens: body['max_output_tokens'] ?? null,
    max_tool_calls: null,
    model,
    output: [],
    parallel_tool_calls: body['parallel_tool_calls'] ?? true,
    previous_response_id: null,
    prompt_cache_key: body['prompt_cache_key'] ?? null,
    reasoning: { effort: reasoning['effort'] ?? null, summary: reasoning['summary'] ?? null },
    service_tier: 'default',
    store: body['store'] ?? true,
    temperature: body['temperature'] ?? 1,
    text: body['text'] ?? { format: { type: 'text' } },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: listOf(body['tools']),
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    usage: null,
    user: body['user'] ?? null,
    metadata: body['metadata'] ?? {},
  };
}

const INCOMPLETE: Record<string, string> = { length: 'max_output_tokens', content_filter: 'content_filter' };

export function ending(answer: Answer): { status: string; incomplete_details: { reason: string } | null } {
  const reason = INCOMPLETE[answer.finish];
  return reason === undefined
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason } };
}

export function usageOf(usage: Usage): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cacheRead, cache_write_tokens: usage.cacheWrite },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}

/**
 * Item ids carry a mark for whether their answer began with reasoning (`r`) or did not (`n`): this exposes a client that sends the item
 * back without its reasoning, without any memory.
 */
export function itemId(answer: Answer, index: number): string {
  const part = answer.parts[index];
  const prefix = part?.type === 'thinking' ? 'rs' : part?.type === 'tool_call' ? 'fc' : 'msg';
  const mark = answer.parts.some(({ type }) => type === 'thinking') ? 'r' : 'n';
  return `${prefix}_${shortHash(`${answer.seed}/items`, 40)}${mark}${index}`;
}

export function itemOf(answer: Answer, index: number, request: ModelRequest): JsonObject {
  const part = answer.parts[index];
  const id = itemId(answer, index);
  const cutOff = ending(answer).status === 'incomplete' && index === answer.parts.length - 1;
  const status = cutOff ? 'incomplete' : 'completed';
  if (!part) return { id };
  if (part.type === 'thinking')
    return { id, type: 'reasoning', summary: summaryOf(part, request), ...sealed(part, request) };
  if (part.type === 'tool_call') {
    const named = calledName(part.name, request);
    return { id, type: 'function_call', status, arguments: part.args, call_id: part.id, ...named };
  }
  return { id, type: 'message', status, role: 'assistant', content: [contentOf(part)] };
}

/** As a client looks it up: a function of a namespace by both names. */
export function calledName(name: string, { body }: ModelRequest): { name: string; namespace?: string } {
  const found = namespacedFunctions(body).find(({ fullName }) => fullName === name);
  return found === undefined ? { name } : { name: stringOf(found.tool['name']), namespace: found.namespace };
}

export function contentOf(part: AnswerPart, text?: string): JsonObject {
  const said = text ?? (part.type === 'tool_call' ? '' : part.text);
  if (part.type === 'refusal') return { type: 'refusal', refusal: said };
  return { type: 'output_text', annotations: [], logprobs: [], text: said };
}

export function summaryOf(part: AnswerPart, request: ModelRequest): JsonObject[] {
  if (part.type !== 'thinking' || part.redacted || request.thinking !== 'shown') return [];
  return [{ type: 'summary_text', text: part.text }];
}

function sealed(part: AnswerPart, request: ModelRequest): JsonObject {
  const wanted = listOf(request.body['include']).includes('reasoning.encrypted_content');
  return wanted && part.type === 'thinking' ? { encrypted_content: sealThinking(request.model, part.text) } : {};
}
