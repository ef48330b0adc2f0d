import { isDeepStrictEqual } from 'node:util';
import type { AgentSession, AgentSessionOptions } from '@attractor/agent';
import { defined, isRecord } from '@attractor/base';
import type { ApprovalRequest, RuleSuggestion } from '@attractor/policy';
import { hookToolName } from '@attractor/settings';
import type { ControlChannel, Fields } from './channel.ts';

type Approve = NonNullable<AgentSessionOptions['approve']>;

/** Whoever decides in a person's place: the program at the other end, or a tool of a server. Gets what `can_use_tool` carries. */
export type Decide = (request: Fields, signal: AbortSignal) => Promise<Fields | { readonly failure: string }>;

/** What an answer may also do to the session. */
export type DecisionEffects = {
  /** False: this mode can't be had by an answer. */
  readonly setMode: (mode: unknown) => boolean;
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
export function approveBy(decide: Decide, effects: DecisionEffects): Approve {
  return async (request, { signal, agentId }) => {
    const answer = await decide(requestOf(request, agentId), signal);
    if ('failure' in answer) return { decision: 'reject', message: String(answer['failure']) };
    if (answer['behavior'] === 'allow') return allowed(request, answer, effects);
    if (answer['interrupt'] === true) effects.interrupt();
    const { message } = answer;
    return { decision: 'reject', message: typeof message === 'string' ? message : 'it was not allowed' };
  };
}

function requestOf(request: ApprovalRequest, agentId: string | undefined): Fields {
  return {
    tool_name: hookToolName(request.toolName),
    input: request.input,
    tool_use_id: request.toolCallId,
    // Programs give back all that is suggested, and all that they give back is done: only the session is to remember it.
    permission_suggestions: (request.suggestions ?? []).filter(isForSession).map(wireOf),
    ...defined({ decision_reason: request.reason, agent_id: agentId }),
  };
}

function isForSession({ destination }: RuleSuggestion): boolean {
  return destination === 'session';
}

function wireOf({ rules, destination }: RuleSuggestion): Fields {
  return { type: 'addRules', rules: rules.map(ruleFields), behavior: 'allow', destination };
}

function ruleFields(text: string): Fields {
  const [, tool = text, content] = /^([^(]+)\((.*)\)$/s.exec(text) ?? [];
  return { toolName: tool, ...defined({ ruleContent: content }) };
}

/** Another mode counts for the session, also if an agent of it was asked about; the session makes all other changes, or tells why not. */
function allowed(request: ApprovalRequest, answer: Fields, effects: DecisionEffects): Awaited<ReturnType<Approve>> {
  const { updatedInput, updatedPermissions } = answer;
  const isChanged = isRecord(updatedInput) && !isDeepStrictEqual(updatedInput, request.input);
  const given: ReadonlyArray<unknown> = Array.isArray(updatedPermissions) ? updatedPermissions : [];
  const updates = given.filter((update) => !isRecord(update) || !changesMode(update, effects));
  return {
    decision: 'approve',
    ...(isChanged ? { input: updatedInput } : {}),
    ...(updates.length > 0 ? { updates } : {}),
  };
}

function changesMode({ type, mode }: Fields, effects: Pick<DecisionEffects, 'setMode'>): boolean {
  return type === 'setMode' && effects.setMode(mode);
}

/** What an answer to the model's own question, about a plan or for a choice, does besides answering it. */
export function carryOutBeside(answer: Fields, effects: DecisionEffects): void {
  const { behavior, interrupt, updatedPermissions } = answer;
  if (behavior !== 'allow' && interrupt === true) effects.interrupt();
  if (behavior !== 'allow' || !Array.isArray(updatedPermissions)) return;
  for (const update of updatedPermissions)
    if (!isRecord(update) || !changesMode(update, effects))
      effects.tell(
        `A change of permissions was not made: ${JSON.stringify(update)}. Give it with the answer about a call.`,
      );
}
