import { type Answer, type AnswerPart, estimateTokens } from '../answer/answer.ts';
import type { ModelRequest } from '../protocol.ts';
import type { Fault, FaultOf } from '../script/types.ts';
import { malform } from './malformed.ts';

type Shape = (answer: Answer, request: ModelRequest) => Answer;

/** Applies the faults that change what the model says. */
export function shapeAnswer(answer: Answer, faults: readonly Fault[], request: ModelRequest): Answer {
  return faults.reduce((shaped, fault) => shapeFor(fault)?.(shaped, request) ?? shaped, answer);
}

const EMPTY: Shape = (answer) => ({
  ...answer,
  parts: [],
  finish: 'stop',
  usage: { ...answer.usage, output: 0, reasoning: 0 },
});

function shapeFor(fault: Fault): Shape | undefined {
  switch (fault.kind) {
    case 'empty':
      return EMPTY;
    case 'content_filter':
      return (answer) => ({ ...answer, finish: 'content_filter', parts: onlyFirstWords(answer.parts) });
    case 'malformed_arguments':
      return (answer) => mapCalls(answer, (call) => ({ ...call, args: malform(call.args, fault) }));
    case 'unknown_tool':
      return (answer) => mapCalls(answer, (call) => ({ ...call, name: fault.name ?? 'tool_nobody_declared' }));
    case 'tool_ids':
      return (answer, request) => mapCalls(answer, (call, calls) => ({ ...call, id: brokenId(fault, calls, request) }));
    case 'truncated':
      return (answer) => truncate(answer, fault);
    case 'refusal':
      return (answer) => ({
        ...answer,
        finish: 'refusal',
        parts: [{ type: 'refusal', text: fault.message ?? "I can't help with that." }],
      });
    default:
      return undefined;
  }
}

type CallPart = Extract<AnswerPart, { type: 'tool_call' }>;

function mapCalls(answer: Answer, change: (call: CallPart, calls: CallPart[]) => CallPart): Answer {
  const calls = answer.parts.filter((part) => part.type === 'tool_call');
  return { ...answer, parts: answer.parts.map((part) => (part.type === 'tool_call' ? change(part, calls) : part)) };
}

function brokenId(fault: FaultOf<'tool_ids'>, calls: CallPart[], request: ModelRequest): string {
  if (fault.how === 'empty') return '';
  const first = calls[0]?.id || 'call_same';
  return fault.how === 'reused' ? (request.callIds[0] ?? first) : first;
}

/** Stops in the middle of the text or of the first call's arguments; the rest is never sent. */
function truncate(answer: Answer, fault: FaultOf<'truncated'>): Answer {
  const wanted = fault.in ?? (answer.parts.some((part) => part.type === 'tool_call') ? 'tool_call' : 'text');
  const index = answer.parts.findIndex((part) => part.type === wanted);
  const part = answer.parts[index];
  if (part === undefined) return { ...answer, finish: 'length' };
  const cut = (text: string): string => text.slice(0, fault.at ?? Math.floor(text.length / 2));
  const last: AnswerPart =
    part.type === 'tool_call' ? { ...part, args: cut(part.args) } : { ...part, text: cut(part.text) };
  const length = last.type === 'tool_call' ? last.args.length : last.text.length;
  const usage = { ...answer.usage, output: Math.max(1, estimateTokens(length)) };
  return { ...answer, parts: [...answer.parts.slice(0, index), last], finish: 'length', usage };
}

function onlyFirstWords(parts: AnswerPart[]): AnswerPart[] {
  const text = parts.find((part) => part.type === 'text');
  return text ? [{ type: 'text', text: text.text.slice(0, Math.ceil(text.text.length / 2)) }] : [];
}
