import { defined } from '@attractor/base';
import { hookToolName, type RequestDecision } from '@attractor/settings';
import type { Judgement } from '@attractor/policy';
import type { Permission } from '../tools/dispatch.ts';
import type { Asking } from './approval.ts';
import { changedByHook, problemOfInput, hookFieldsOf } from './hooked-call.ts';
import { denied, judged, makeUpdates, type PutEvent } from './judge-call.ts';
import type { Run } from './run.ts';

/**
 * Lets hooks answer in a person's place; null if they don't. Their "allow" counts only where an allow rule would: never against a rule that
 * asks or denies, and never for calls that always ask.
 */
export async function requestByHooks(
  run: Run,
  put: PutEvent,
  asking: Asking,
): Promise<{ readonly is: Permission } | null> {
  const { call, judgement } = asking;
  const isAnswered = Object.hasOwn(run.view().approvals, call.toolCallId);
  if (run.hooks?.has('PermissionRequest') !== true || isAnswered) return null;
  const { request, stop } = await run.hooks.fire('PermissionRequest', {
    ...hookFieldsOf(run, call),
    permission_suggestions: suggestions(judgement),
  });
  if (stop !== null) run.hooks.stop(stop);
  if (request?.behavior === 'deny' || stop !== null) {
    const reason = request?.behavior === 'deny' ? request.message : `a hook stopped the work: ${stop}`;
    if (request?.behavior === 'deny' && request.interrupt) run.hooks.stop(reason);
    return { is: await denied(put, call, { decision: 'deny', reason }) };
  }
  return request === null || !mayAllow(judgement) ? null : allowed(run, put, { asking, request });
}

/** Whether a hook's "allow" is enough. Without a policy it is: the hook is then the person's own decision. */
export function mayAllow(judgement: Judgement | null): boolean {
  if (judgement === null) return true;
  return judgement.decision === 'ask' && judgement.rule === undefined && (judgement.needs?.length ?? 0) > 0;
}

type Allowing = {
  readonly asking: Asking;
  readonly request: Extract<RequestDecision, { readonly behavior: 'allow' }>;
};

async function allowed(
  run: Run,
  put: PutEvent,
  { asking, request }: Allowing,
): Promise<{ readonly is: Permission } | null> {
  const { call, tool } = asking;
  const args = request.updatedInput;
  await makeUpdates(run, put, request.updatedPermissions);
  if (args === undefined) return { is: null };
  const wrong = await problemOfInput(tool.definition, args);
  if (wrong !== null) return { is: await denied(put, call, { decision: 'deny', reason: wrong }) };
  const again = await judged(run, { call: { ...call, args }, tool });
  if (again?.decision === 'deny') return { is: await denied(put, { ...call, args }, again) };
  return again === null || again.decision === 'allow' || mayAllow(again) ? { is: changedByHook(args) } : null;
}

/** Rules that would allow the call, in the published spelling. */
function suggestions(judgement: Judgement | null): ReadonlyArray<unknown> {
  const needs = judgement?.needs ?? [];
  if (needs.length === 0) return [];
  const rules = needs.map((text) => {
    const [, tool = text, content] = /^([^(]+)\((.*)\)$/s.exec(text) ?? [];
    return { toolName: hookToolName(tool), ...defined({ ruleContent: content }) };
  });
  return [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }];
}
