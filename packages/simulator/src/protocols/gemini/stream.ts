import { type Answer, type AnswerPart, splitDeltas, type Usage } from '../../answer/answer.ts';
import { type JsonObject, stringifyWithRaw } from '../../wire/json.ts';
import type { WireEvent } from '../../wire/sse.ts';
import type { ModelRequest } from '../../protocol.ts';
import { blocked, callPart, candidate, finishReason, signatureOf, tail } from './complete.ts';

export function stream(answer: Answer, request: ModelRequest): WireEvent[] {
  if (answer.finish === 'refusal') return [event({ ...blocked(), ...tail(answer, answer.usage) })];
  const parts = answer.parts.flatMap((part) => deltaParts(part, answer, request));
  const early = partial(answer.usage);
  const chunks = parts.map((part, index) => {
    const last = index === parts.length - 1;
    return {
      ...event({
        candidates: [candidate([part], last ? answer : undefined)],
        ...tail(answer, last ? answer.usage : early),
      }),
      output: true,
    };
  });
  if (chunks.length > 0) return chunks;
  return [
    event({
      candidates: [{ content: { role: 'model' }, finishReason: finishReason(answer), index: 0 }],
      ...tail(answer, answer.usage),
    }),
  ];
}

/** Partial counts: the output is only known at the end. */
function partial(usage: Usage): Usage {
  return { ...usage, output: usage.reasoning };
}

function deltaParts(part: AnswerPart, answer: Answer, request: ModelRequest): JsonObject[] {
  if (part.type === 'tool_call') return callPart(part, answer, request);
  const pieces = splitDeltas(part.text, answer.deltaChars);
  if (part.type === 'thinking')
    return request.thinking === 'shown' ? pieces.map((text) => ({ text, thought: true })) : [];
  return pieces.map((text, index) => ({
    text,
    ...(index === pieces.length - 1 && signatureOf(part, answer, request)),
  }));
}

function event(value: JsonObject): WireEvent {
  return { data: stringifyWithRaw(value) };
}
