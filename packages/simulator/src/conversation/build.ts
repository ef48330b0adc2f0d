import type { ModelRequest } from '../protocol.ts';
import type { ScriptedCall, Turn } from '../script/types.ts';
import { type Answer, type AnswerPart, estimateTokens, type Usage } from '../answer/answer.ts';
import { matchTool } from './match-tool.ts';
import { shortHash } from '../answer/signature.ts';

export interface AnswerContext {
  turn: Turn;
  request: ModelRequest;
  /** Identifies conversation and position. */
  seed: string;
  callIdPrefix: string | undefined;
  prompt: { input: number; cacheRead: number; cacheWrite: number };
}

const DEFAULT_DELTA_CHARS = 32;

/** What the model says in this turn, or why the script cannot say it to this client. */
export function buildAnswer(context: AnswerContext): { answer: Answer } | { problem: string } {
  const { turn, request, seed } = context;
  const calls: AnswerPart[] = [];
  for (const [index, call] of [...(turn.toolCalls ?? []), ...objectAsCall(turn, request)].entries()) {
    const part = callPart(call, { ...context, index });
    if ('problem' in part) return part;
    calls.push(part);
  }
  const parts = [...thinkingParts(turn, request), ...textParts(turn, request), ...calls];
  const finish = turn.finish ?? (calls.length > 0 ? 'tool_calls' : 'stop');
  const deltaChars = turn.deltaChars ?? DEFAULT_DELTA_CHARS;
  const found = turn.found === undefined ? {} : { found: turn.found };
  return {
    answer: { seed, model: request.model, parts, finish, usage: usageOf(context, parts), deltaChars, ...found },
  };
}

/** A client that forces a tool gets the object as that tool's arguments, any other client gets it as JSON text. */
function objectAsCall(turn: Turn, request: ModelRequest): ScriptedCall[] {
  if (turn.object === undefined || request.forcedTool === undefined) return [];
  return [{ name: request.forcedTool, args: turn.object }];
}

function callPart(call: ScriptedCall, context: AnswerContext & { index: number }): AnswerPart | { problem: string } {
  const hash = shortHash(`${context.seed}/call/${context.index}`);
  const made = context.callIdPrefix === undefined ? '' : context.callIdPrefix + hash;
  const id = call.id ?? made;
  if (!('use' in call))
    return { type: 'tool_call', id, name: call.name, args: call.argsText ?? JSON.stringify(call.args ?? {}) };
  const matched = matchTool(call, context.request.tools);
  if (matched) return { type: 'tool_call', id, name: matched.name, args: JSON.stringify(matched.args) };
  const declared = context.request.tools.map((tool) => tool.name).join(', ') || 'none';
  return { problem: `the turn wants a tool for "${call.use}", but the client declared: ${declared}` };
}

/**
 * Services send thinking only to clients that requested it, and with a fixed budget a turn that answers a person always starts with some;
 * without that, the client could not send back what the service demands.
 */
function thinkingParts(turn: Turn, request: ModelRequest): AnswerPart[] {
  const scripted = typeof turn.thinking === 'string' ? { text: turn.thinking } : turn.thinking;
  const wanted = request.thinking !== 'off' || scripted?.always === true;
  if (scripted && wanted) return [{ type: 'thinking', text: scripted.text, redacted: scripted.redacted ?? false }];
  const demanded = request.thinking === 'required' && request.toolResults.length === 0;
  return demanded ? [{ type: 'thinking', text: 'Considering the request.', redacted: false }] : [];
}

function textParts(turn: Turn, request: ModelRequest): AnswerPart[] {
  const parts: AnswerPart[] = [];
  if (turn.text !== undefined && turn.text !== '') parts.push({ type: 'text', text: turn.text });
  if (turn.object !== undefined && request.forcedTool === undefined) {
    parts.push({ type: 'text', text: JSON.stringify(turn.object) });
  }
  return parts;
}

function usageOf({ turn, prompt }: AnswerContext, parts: AnswerPart[]): Usage {
  const count = (types: AnswerPart['type'][]): number =>
    parts
      .filter((part) => types.includes(part.type))
      .reduce(
        (sum, part) =>
          sum + estimateTokens(part.type === 'tool_call' ? part.name.length + part.args.length : part.text.length),
        0,
      );
  const reasoning = turn.usage?.reasoning ?? (turn.usage ? 0 : count(['thinking']));
  const output = turn.usage?.output ?? Math.max(1, count(['text', 'refusal', 'tool_call']) + reasoning);
  if (!turn.usage) return { ...prompt, output, reasoning };
  const { input = prompt.input, cacheRead = 0, cacheWrite = 0 } = turn.usage;
  return { input, output, cacheRead, cacheWrite, reasoning };
}
