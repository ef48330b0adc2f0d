import type { Answer, AnswerPart, Usage } from '../../answer/answer.ts';
import { sealThinking, shortHash } from '../../answer/signature.ts';
import { type JsonObject, raw, stringifyWithRaw } from '../../wire/json.ts';
import type { ModelRequest } from '../../protocol.ts';

export function complete(answer: Answer, request: ModelRequest): string {
  if (answer.finish === 'refusal') return stringifyWithRaw({ ...blocked(), ...tail(answer, answer.usage) });
  const parts = answer.parts.flatMap((part) => wholePart(part, answer, request));
  return stringifyWithRaw({ candidates: [candidate(parts, answer)], ...tail(answer, answer.usage) });
}

export function candidate(parts: JsonObject[], answer?: Answer): JsonObject {
  const content = { parts, role: 'model' };
  return { content, ...(answer && { finishReason: finishReason(answer), ...grounding(answer) }), index: 0 };
}

/** What the service's own search found. */
function grounding({ found }: Answer): JsonObject {
  if (found === undefined) return {};
  const groundingChunks = found.map(({ url, title }) => ({ web: { uri: url, title } }));
  return { groundingMetadata: { webSearchQueries: ['what was asked'], groundingChunks } };
}

/** The prompt itself was refused: there is no candidate at all. */
export function blocked(): JsonObject {
  return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } };
}

const FINISH: Record<string, string> = {
  stop: 'STOP',
  tool_calls: 'STOP',
  length: 'MAX_TOKENS',
  content_filter: 'SAFETY',
};

export function finishReason(answer: Answer): string {
  const broken = answer.parts.some((part) => part.type === 'tool_call' && !isCallable(part));
  if (broken && answer.finish !== 'length') return 'MALFORMED_FUNCTION_CALL';
  return FINISH[answer.finish] ?? answer.finish;
}

export function tail(answer: Answer, usage: Usage): JsonObject {
  const candidates = Math.max(0, usage.output - usage.reasoning);
  const usageMetadata = {
    promptTokenCount: usage.input,
    candidatesTokenCount: candidates,
    totalTokenCount: usage.input + candidates + usage.reasoning,
    ...(usage.cacheRead > 0 && { cachedContentTokenCount: usage.cacheRead }),
    ...(usage.reasoning > 0 && { thoughtsTokenCount: usage.reasoning }),
    promptTokensDetails: [{ modality: 'TEXT', tokenCount: usage.input }],
  };
  return { usageMetadata, modelVersion: answer.model, responseId: shortHash(`${answer.seed}/response`, 22) };
}

function wholePart(part: AnswerPart, answer: Answer, request: ModelRequest): JsonObject[] {
  if (part.type === 'tool_call') return callPart(part, answer, request);
  if (part.type === 'thinking') return request.thinking === 'shown' ? [{ text: part.text, thought: true }] : [];
  return [{ text: part.text, ...signatureOf(part, answer, request) }];
}

/** This protocol carries calls only whole and parsed; a call that is not JSON never reaches the client. */
export function callPart(
  part: Extract<AnswerPart, { type: 'tool_call' }>,
  answer: Answer,
  request: ModelRequest,
): JsonObject[] {
  if (!isCallable(part)) return [];
  const functionCall = { ...(part.id !== '' && { id: part.id }), name: part.name, args: raw(part.args) };
  return [{ functionCall, ...signatureOf(part, answer, request) }];
}

function isCallable(part: Extract<AnswerPart, { type: 'tool_call' }>): boolean {
  try {
    JSON.parse(part.args);
    return true;
  } catch {
    return false;
  }
}

/** The first call of a turn carries the thinking; in a turn without calls, the last text does. */
export function signatureOf(part: AnswerPart, answer: Answer, request: ModelRequest): JsonObject {
  if (request.thinking === 'off') return {};
  const thought = answer.parts.find(({ type }) => type === 'thinking');
  const firstCall = answer.parts.find(({ type }) => type === 'tool_call');
  const carrier = firstCall ?? (thought && answer.parts.findLast(({ type }) => type === 'text'));
  if (part !== carrier) return {};
  return { thoughtSignature: sealThinking(request.model, thought?.type === 'thinking' ? thought.text : answer.seed) };
}
