import type { PendingToolCall, Permission } from '../tools/dispatch.ts';
import type { Judgement } from '@attractor/policy';
import { holdsMask } from '@attractor/redact';
import type { HookDecision } from '../types/index.ts';
import { approval, type Asking } from './approval.ts';
import { beforeCall, changedByHook, hookFieldsOf } from './hooked-call.ts';
import { mayAllow, requestByHooks } from './hooked-permission.ts';
import { refusedSteps } from './hooked-steps.ts';
import { denied, judged, stopped, type RequestedCall, type PutEvent } from './judge-call.ts';
import { answersTo, ASK_USER_QUESTION, questionsOf } from './questions.ts';
import type { Run } from './run.ts';
import { overBudget } from './tool-budget.ts';

/**
 * Whether a call may run. Checked after its arguments were validated and before it starts. `halt` leaves the call to the process that
 * resumes.
 */
export async function permit(run: Run, put: PutEvent, asked: RequestedCall): Promise<Permission> {
  if (run.ending() !== null) return stopped(run);
  const { toolCallId, toolName } = asked.call;
  const over = overBudget(run.view(), run.settings().config.toolBudget, toolCallId);
  if (over !== null) {
    await put({ kind: 'WARNING', message: `${toolName} was not run: ${over}.` });
    return { output: `Not run: ${over}. Finish with what you have.`, isError: true };
  }
  if (asked.tool.readOnly !== true && holdsMask(JSON.stringify(asked.call.args)))
    return { output: MASKED, isError: true };
  const permission = (await changedProgram(run, put, asked)) ?? (await permitHooked(run, put, asked));
  const runs = permission === null || (permission !== 'halt' && 'args' in permission);
  const objection = runs ? await refusedSteps(run, asked.call) : null;
  if (objection !== null) return { output: objection, isError: true };
  if (runs && asked.tool.readOnly !== true) await run.beforeChange?.(toolName);
  return permission;
}

/** A server that would be started from files that nobody saw: its call does not run, unless a person lets exactly these files run. */
async function changedProgram(run: Run, put: PutEvent, { call, tool }: RequestedCall): Promise<Permission> {
  const changed = tool.changed?.() ?? null;
  if (changed === null) return null;
  if (await run.confirmChanged(`the server of ${call.toolName}`, changed)) {
    changed.accept();
    return null;
  }
  return run.ending() === null ? denied(put, call, { decision: 'deny', reason: changed.message }) : stopped(run);
}

/** If a mask were written back, it would overwrite the secret that it hides. */
const MASKED =
  'Not run: the arguments hold a mask ("[redacted:…]"). It stands for a secret that is there but not shown to you, and would replace ' +
  'it. Change only the text around it, or let a command read the secret where it is.';

/** Hooks come first: arguments that they substitute are judged like those of a model. */
async function permitHooked(run: Run, put: PutEvent, asked: RequestedCall): Promise<Permission> {
  if ((run.hooks?.stopped() ?? null) !== null)
    return { output: 'Not run: a hook stopped the work before.', isError: true };
  const said = await beforeCall(run, put, asked);
  if (run.ending() !== null) return stopped(run);
  if (said === null) return permitKnown(run, put, { ...asked, word: 'none' });
  const { decision: word, reason = 'a hook gave no reason', args } = said;
  const call = args === undefined ? asked.call : { ...asked.call, args };
  if (word === 'deny') return denied(put, call, { decision: 'deny', reason });
  const permission = await permitKnown(run, put, { ...asked, call, word, why: reason });
  return permission === null && args !== undefined ? changedByHook(args) : permission;
}

type Hooked = RequestedCall & { readonly word: HookDecision['decision']; readonly why?: string };

async function permitKnown(run: Run, put: PutEvent, asked: Hooked): Promise<Permission> {
  const judgement = await judged(run, asked);
  if (judgement?.decision === 'deny') return deniedByPolicy(run, put, { call: asked.call, judgement });
  if (asked.call.toolName === ASK_USER_QUESTION && run.questions.isAsking) return askPerson(run, put, asked.call);
  if (asked.word === 'ask' || asked.word === 'defer')
    return askFor(run, put, {
      ...asked,
      judgement: { ...judgement, decision: 'ask', reason: asked.why ?? '' },
    });
  if (judgement?.decision === 'allow') return null;
  if (asked.word === 'allow' && mayAllow(judgement)) return null;
  if (judgement === null && needsNoAnswer(run, asked)) return null;
  return askFor(run, put, { ...asked, judgement });
}

/** Asks hooks that answer in a person's place, then the person. */
async function askFor(run: Run, put: PutEvent, asking: Asking): Promise<Permission> {
  const byHooks = await requestByHooks(run, put, asking);
  if (run.ending() !== null) return stopped(run);
  if (byHooks !== null) return byHooks.is;
  const { call, judgement } = asking;
  if (run.approve === undefined) {
    const reason = `${judgement?.reason ?? 'a hook asks about it'}. That needs a person's approval, and nobody can be asked here`;
    return deniedByPolicy(run, put, { call, judgement: { ...judgement, decision: 'deny', reason } });
  }
  notify(run, 'permission_prompt', `${call.toolName} needs your permission`);
  return approval(run, put, asking);
}

type Denied = { readonly call: PendingToolCall; readonly judgement: Judgement };

async function deniedByPolicy(run: Run, put: PutEvent, { call, judgement }: Denied): Promise<Permission> {
  const permission = await denied(put, call, judgement);
  const said = await run.hooks?.fire('PermissionDenied', { ...hookFieldsOf(run, call), reason: judgement.reason });
  if (said?.retry !== true || permission === null || permission === 'halt' || 'args' in permission) return permission;
  return { ...permission, output: `${permission.output} A hook says that it may be tried once more.` };
}

/** A side effect only: nobody waits for it. */
function notify(run: Run, type: 'permission_prompt' | 'agent_needs_input', message: string): void {
  const title = 'Attractor';
  const { hooks } = run;
  const told = hooks?.fire('Notification', { message, title, notification_type: type });
  told?.then(({ context }) => hooks?.tell('Notification', context)).catch(() => undefined);
}

function needsNoAnswer(run: Run, { tool }: RequestedCall): boolean {
  return run.approve === undefined || tool.readOnly === true;
}

/** A question that was answered before, perhaps in another process, is not asked again. */
async function askPerson(run: Run, put: PutEvent, { toolCallId, args }: PendingToolCall): Promise<Permission> {
  if (answersTo(run.view(), toolCallId) !== null) return null;
  const questions = questionsOf(args);
  await put({ kind: 'QUESTION_ASKED', toolCallId, questions });
  notify(run, 'agent_needs_input', questions[0]?.question ?? 'The agent has a question');
  const { sessionId, signal } = run;
  const outcome = await run.questions.answered({ sessionId, toolCallId, questions, signal });
  if (outcome === 'answered') return null;
  return outcome === 'ended'
    ? stopped(run)
    : { output: `The person could not be asked (${outcome.failure}). Go on with what you know.`, isError: true };
}
