import type { Answer, AnswerPart, Usage } from '../../answer/answer.ts';
import { shortHash } from '../../answer/signature.ts';
import type { JsonObject } from '../../wire/json.ts';

const FINISH: Record<string, string> = { refusal: 'stop' };

export function complete(answer: Answer): string {
  const choice = { index: 0, message: messageOf(answer), logprobs: null, finish_reason: finishReason(answer) };
  return JSON.stringify({
    ...head(answer),
    object: 'chat.completion',
    choices: [choice],
    usage: usageOf(answer.usage),
  });
}

export function head({ seed, model }: Answer): JsonObject {
  return {
    id: `chatcmpl-${shortHash(`${seed}/completion`, 29)}`,
    created: 1_750_000_000,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_simulator',
  };
}

export function finishReason(answer: Answer): string {
  return FINISH[answer.finish] ?? answer.finish;
}

export function usageOf(usage: Usage): JsonObject {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** OpenAI has no field for thinking; compatible servers send it as `reasoning_content`. */
function messageOf({ parts }: Answer): JsonObject {
  const said = (type: 'text' | 'thinking' | 'refusal'): string | null =>
    parts.map((part) => (part.type === type ? part.text : '')).join('') || null;
  const calls = parts.filter((part) => part.type === 'tool_call').map(callOf);
  const thinking = said('thinking');
  return {
    role: 'assistant',
    content: said('text'),
    refusal: said('refusal'),
    annotations: [],
    ...(thinking !== null && { reasoning_content: thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function callOf(part: Extract<AnswerPart, { type: 'tool_call' }>): JsonObject {
  return { id: part.id, type: 'function', function: { name: part.name, arguments: part.args } };
}
