import { defined, isRecord } from '@attractor/base';
import { hookToolName, type RequestDecision } from '@attractor/settings';
import { type Judgement, parseRule, type PermissionMode, rememberRules, type RuleDestination } from '@attractor/policy';
import type { Permission } from '../tools/dispatch.ts';
import type { Asking } from './approval.ts';
import { changedByHook, problemOfInput, hookFieldsOf } from './hooked-call.ts';
import { denied, judged, type PutEvent } from './judge-call.ts';
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
  for (const update of request.updatedPermissions ?? []) {
    const problem = await applyUpdate(run, update);
    if (problem !== null)
      await put({ kind: 'WARNING', message: `A hook's change of permissions was not made: ${problem}` });
  }
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

const DESTINATIONS: ReadonlySet<unknown> = new Set(['session', 'localSettings', 'projectSettings', 'userSettings']);
const MODES: ReadonlySet<unknown> = new Set(['default', 'acceptEdits', 'plan', 'dontAsk']);

function isDestination(value: unknown): value is RuleDestination {
  return DESTINATIONS.has(value);
}

/** A hook can't switch off asking altogether. */
function isMode(value: unknown): value is PermissionMode {
  return MODES.has(value);
}

/** Why a change of permissions can't be made; null if it was made. */
async function applyUpdate(run: Run, update: unknown): Promise<string | null> {
  if (!isRecord(update) || run.policy === undefined) return 'there is no policy to change';
  if (update['type'] === 'setMode') {
    if (!isMode(update['mode'])) return `the mode ${JSON.stringify(update['mode'])} can't be set by a hook`;
    run.policy.setMode(update['mode']);
    return null;
  }
  if (update['type'] !== 'addRules' || !Array.isArray(update['rules']))
    return `${JSON.stringify(update['type'])} is not done here`;
  const rules = update['rules'].map((rule: unknown) => ruleText(rule));
  const { behavior, destination = 'session' } = update;
  if (behavior === 'allow' && isDestination(destination)) {
    const root = run.environment.workingDirectory();
    const kept = await rememberRules({ rules, destination, files: run.ruleFiles, root });
    if (!kept.ok) return kept.error.message;
    run.policy.addRules(kept.rules);
    return null;
  }
  if (behavior !== 'deny' && behavior !== 'ask') return '"behavior" must be allow, ask or deny';
  return addForSession(run, rules, behavior);
}

function addForSession(run: Run, texts: ReadonlyArray<string>, behavior: 'ask' | 'deny'): string | null {
  const origin = { scope: 'session', file: null, line: null, root: run.environment.workingDirectory() } as const;
  for (const text of texts) {
    const parsed = parseRule(text, behavior, origin);
    if (!parsed.ok) return parsed.error.message;
    run.policy?.addRules([parsed.rule]);
  }
  return null;
}

function ruleText(rule: unknown): string {
  if (!isRecord(rule)) return String(rule);
  const { toolName, ruleContent } = rule;
  return typeof ruleContent === 'string' && ruleContent !== ''
    ? `${String(toolName)}(${ruleContent})`
    : String(toolName);
}
