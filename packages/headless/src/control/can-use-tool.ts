import { isDeepStrictEqual } from 'node:util';
import type { AgentSession, AgentSessionOptions } from '@attractor/agent';
import { defined, isRecord } from '@attractor/base';
import type { ApprovalAnswer, ApprovalRequest, PermissionMode, RuleSuggestion } from '@attractor/policy';
import { hookToolName } from '@attractor/settings';
import type { ControlChannel, Fields } from './channel.ts';

/** Whoever decides in a person's place: the program at the other end, or a tool of a server. Gets what `can_use_tool` carries. */
export type Decide = (request: Fields, signal: AbortSignal) => Promise<Fields | { readonly failure: string }>;

/** What an answer may also do to the session. */
export type DecisionEffects = {
  readonly setMode: (mode: PermissionMode) => void;
  readonly interrupt: () => void;
  /** A change of permissions that is not made, for the person. */
  readonly tell: (text: string) => void;
};

export function decideByControl(channel: Pick<ControlChannel, 'request'>): Decide {
  return async (request, signal) => {
    const answer = await channel.request({ subtype: 'can_use_tool', ...request }, signal);
    return answer.ok ? answer.value : { failure: answer.error.message };
  };
}

type Calls = Pick<AgentSession, 'callServer'>;

/** Asks a tool of a server, which answers with the JSON of a decision. */
export function decideByTool(toolName: string, session: () => Calls | null): Decide {
  return async ({ tool_name, input, tool_use_id }, signal) => {
    const result = await session()?.callServer(toolName, { tool_name, input, tool_use_id }, signal);
    if (result === undefined || result === null) return { failure: `there is no tool ${toolName} to ask` };
    if (result.isError) return { failure: `${toolName}: ${result.output}` };
    try {
      const answer: unknown = JSON.parse(result.output);
      if (isRecord(answer)) return answer;
    } catch {
      // Said below.
    }
    return { failure: `${toolName} gave no decision: ${result.output.slice(0, 200)}` };
  };
}

/** Asks before every call that needs a person. An answer of another shape, or none, is a refusal. */
export function approveBy(decide: Decide, effects: DecisionEffects): NonNullable<AgentSessionOptions['approve']> {
  return async (request, { signal }) => {
    const answer = await decide(requestOf(request), signal);
    if ('failure' in answer) return { decision: 'reject', message: String(answer['failure']) };
    if (answer['behavior'] === 'allow') return allowed(request, answer, effects);
    if (answer['interrupt'] === true) effects.interrupt();
    const { message } = answer;
    return { decision: 'reject', message: typeof message === 'string' ? message : 'it was not allowed' };
  };
}

function requestOf(request: ApprovalRequest): Fields {
  return {
    tool_name: hookToolName(request.toolName),
    input: request.input,
    tool_use_id: request.toolCallId,
    permission_suggestions: (request.suggestions ?? []).map(wireOf),
    ...defined({ decision_reason: request.reason }),
  };
}

function wireOf({ rules, destination }: RuleSuggestion): Fields {
  return { type: 'addRules', rules: rules.map(ruleFields), behavior: 'allow', destination };
}

function ruleFields(text: string): Fields {
  const [, tool = text, content] = /^([^(]+)\((.*)\)$/s.exec(text) ?? [];
  return { toolName: tool, ...defined({ ruleContent: content }) };
}

function allowed(request: ApprovalRequest, answer: Fields, effects: DecisionEffects): ApprovalAnswer {
  const { updatedInput, updatedPermissions } = answer;
  const isChanged = isRecord(updatedInput) && !isDeepStrictEqual(updatedInput, request.input);
  const updates = Array.isArray(updatedPermissions) ? updatedPermissions.filter(isRecord) : [];
  const remember = updates.map((update) => rememberedBy(update, request, effects)).find((one) => one !== null);
  return { decision: 'approve', ...(isChanged ? { input: updatedInput } : {}), ...defined({ remember }) };
}

/** The suggested rules that an update keeps; everything else about permissions happens at once, or is told. */
function rememberedBy(
  update: Fields,
  { suggestions = [] }: ApprovalRequest,
  effects: DecisionEffects,
): ApprovalAnswer['remember'] | null {
  const { type, mode, rules, behavior, destination } = update;
  if (type === 'setMode' && isSettableMode(mode)) {
    effects.setMode(mode);
    return null;
  }
  const texts = Array.isArray(rules) ? rules.filter(isRecord).map(ruleText) : [];
  const suggested = suggestions.find((one) => one.destination === destination);
  if (type === 'addRules' && behavior === 'allow' && suggested !== undefined && texts.length > 0)
    return { rules: texts, destination: suggested.destination };
  effects.tell(`A change of permissions was not made: ${JSON.stringify(update)}. Only suggested rules can be kept.`);
  return null;
}

function ruleText({ toolName, ruleContent }: Fields): string {
  return typeof ruleContent === 'string' && ruleContent !== ''
    ? `${String(toolName)}(${ruleContent})`
    : String(toolName);
}

const SETTABLE: ReadonlyArray<unknown> = ['default', 'acceptEdits', 'plan', 'dontAsk'] satisfies PermissionMode[];

function isSettableMode(mode: unknown): mode is PermissionMode {
  return SETTABLE.includes(mode);
}
