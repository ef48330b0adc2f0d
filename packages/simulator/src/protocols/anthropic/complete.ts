import type { Answer, AnswerPart, Usage } from '../../answer/answer.ts';
import { sealThinking, shortHash, signThinking } from '../../answer/signature.ts';
import { raw, stringifyWithRaw } from '../../wire/json.ts';

const STOP_REASONS: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
  refusal: 'refusal',
};

export function complete(answer: Answer): string {
  return stringifyWithRaw({
    ...messageHead(answer),
    content: answer.parts.map((part) => blockOf(part, answer.model)),
    stop_reason: stopReason(answer),
    usage: usageOf(answer.usage),
  });
}

export function messageHead(answer: Answer): Record<string, unknown> {
  return {
    id: `msg_01${shortHash(`${answer.seed}/message`, 22)}`,
    type: 'message',
    role: 'assistant',
    model: answer.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    container: null,
  };
}

export function stopReason(answer: Answer): string {
  return STOP_REASONS[answer.finish] ?? answer.finish;
}

export function usageOf(usage: Usage): Record<string, unknown> {
  return {
    input_tokens: Math.max(0, usage.input - usage.cacheRead - usage.cacheWrite),
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    cache_creation: { ephemeral_5m_input_tokens: usage.cacheWrite, ephemeral_1h_input_tokens: 0 },
    output_tokens: usage.output,
    output_tokens_details: usage.reasoning > 0 ? { thinking_tokens: usage.reasoning } : null,
    service_tier: 'standard',
  };
}

/** Arguments that are not JSON have no place in a whole message; clients have then seen the bare text. */
function blockOf(part: AnswerPart, model: string): Record<string, unknown> {
  if (part.type === 'tool_call') {
    return { type: 'tool_use', id: part.id, name: part.name, input: isJson(part.args) ? raw(part.args) : part.args };
  }
  if (part.type !== 'thinking') return { type: 'text', text: part.text };
  if (part.redacted) return { type: 'redacted_thinking', data: sealThinking(model, part.text) };
  return { type: 'thinking', thinking: part.text, signature: signThinking(model, part.text) };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
