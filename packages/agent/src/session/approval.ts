import { defined, messageOf } from '@attractor/base';
import type { PendingToolCall, Permission } from '../tools/dispatch.ts';
import { validateArguments } from '../tools/validate.ts';
import {
  contentHash,
  type Judgement,
  type Remembered,
  rememberRules,
  shownCall,
  suggestionsOf,
} from '@attractor/policy';
import { holdsMask } from '@attractor/redact';
import type { ApprovalAnswer, ApprovalRequest } from '../contract/session.ts';
import { contentOf, judged, stopped, type Asked, type Put } from './judge-call.ts';
import type { Run } from './run.ts';

/** `judgement` null: there is no policy. */
export type Asking = Asked & { readonly judgement: Judgement | null };

type Allowed = Extract<ApprovalAnswer, { readonly allowed: true }>;

/**
 * Asks a person. The answer is bound to what was shown: the callback gets a copy, and what runs is what was hashed. An answer that a
 * dead process recorded for the very same content still holds; whatever it said, what a rule denies by now does not run.
 */
export async function approval(run: Run, put: Put, asking: Asking): Promise<Permission> {
  const { call } = asking;
  const hash = contentHash(contentOf(run, call));
  const earlier = await givenBefore(run, asking, hash);
  if (earlier !== 'ask') return earlier;
  const { toolCallId, toolName, args } = call;
  await put({ kind: 'APPROVAL_REQUESTED', toolCallId, toolName, args, contentHash: hash });
  const answer = await answerOrEnd(run, requestOf(run, asking, hash));
  if (answer === null) return stopped(run);
  const refusal = await refusalOf(run, asking, { answer, hash });
  if (refusal !== null) {
    await put({ kind: 'APPROVAL_ANSWERED', toolCallId, allowed: false, reason: refusal, contentHash: hash });
    return refused(refusal);
  }
  return answer.allowed ? carryOut(run, put, { call, answer }) : refused(answer.reason);
}

function requestOf(run: Run, { call, judgement }: Asking, hash: string): ApprovalRequest {
  const { toolCallId, toolName } = call;
  const args = structuredClone(call.args);
  return {
    sessionId: run.sessionId,
    toolCallId,
    toolName,
    args,
    signal: run.signal,
    contentHash: hash,
    shown: shownCall(contentOf(run, { toolName, args })),
    ...(judgement === null ? {} : { judgement }),
    suggestions: suggestionsOf(judgement?.needs ?? [], run.ruleFiles),
  };
}

/** What an answer of an earlier process comes to; `ask` when there is none for exactly this. */
async function givenBefore(run: Run, { call, tool }: Asking, hash: string): Promise<Permission | 'ask'> {
  const { approvals } = run.view();
  const given = Object.hasOwn(approvals, call.toolCallId) ? approvals[call.toolCallId] : undefined;
  if (given === undefined) return 'ask';
  if (!given.allowed) return given.contentHash === hash ? refused(given.reason) : 'ask';
  const args = given.args ?? call.args;
  if (contentHash(contentOf(run, { ...call, args })) !== given.contentHash) return 'ask';
  const judgement = await judged(run, { call: { ...call, args }, tool });
  if (judgement?.decision === 'deny') return refused(judgement.reason);
  return given.args === null ? null : changed(given.args);
}

type Given = { readonly answer: ApprovalAnswer; readonly hash: string };

/** Why an answer lets nothing run; null when it does. */
async function refusalOf(run: Run, { call, tool }: Asking, { answer, hash }: Given): Promise<string | null> {
  if (answer.contentHash !== undefined && answer.contentHash !== hash)
    return 'the answer was given for something else than what would run now. Ask again';
  if (!answer.allowed) return answer.reason;
  if (answer.args !== undefined) {
    const wrong = await validateArguments(tool.definition, answer.args);
    if (wrong.length > 0) return `a person changed the call, and its arguments are not valid then: ${wrong.join('; ')}`;
    if (holdsMask(JSON.stringify(answer.args)))
      return 'a person changed the call, and it holds the mask of a secret then';
  }
  const judgement = await judged(run, { call: { ...call, args: answer.args ?? call.args }, tool });
  return judgement?.decision === 'deny' ? judgement.reason : null;
}

/** Null when the session ends before there is an answer. An approval that fails is a refusal. */
async function answerOrEnd(run: Run, request: ApprovalRequest): Promise<ApprovalAnswer | null> {
  const ended = Promise.withResolvers<null>();
  const end = (): void => ended.resolve(null);
  run.signal.addEventListener('abort', end, { once: true });
  const asked = run.approve?.(request).catch((error: unknown): ApprovalAnswer => {
    return {
      allowed: false,
      reason: `the approval could not be obtained (${messageOf(error)})`,
    };
  });
  if (run.signal.aborted) return null;
  return Promise.race([asked ?? null, ended.promise]).finally(() => run.signal.removeEventListener('abort', end));
}

type Agreed = { readonly call: PendingToolCall; readonly answer: Allowed };

/** Rules are saved before the answer is reported, so that whoever reads of it finds them. A rule that can't be saved is reported, and counts this once. */
async function carryOut(run: Run, put: Put, { call, answer }: Agreed): Promise<Permission> {
  const { toolCallId } = call;
  const { args, remember } = answer;
  const kept = remember === undefined || run.policy === undefined ? null : await keepRules(run, remember);
  if (kept?.ok === false) await put({ kind: 'WARNING', message: `The rule was not kept: ${kept.error.message}` });
  await put({
    kind: 'APPROVAL_ANSWERED',
    toolCallId,
    allowed: true,
    contentHash: contentHash(contentOf(run, { ...call, args: args ?? call.args })),
    ...defined({ args }),
    ...(kept?.ok === true ? { remembered: { rules: kept.rules.map(({ text }) => text), file: kept.file } } : {}),
  });
  return args === undefined ? null : changed(args);
}

async function keepRules(run: Run, { rules, destination }: NonNullable<Allowed['remember']>): Promise<Remembered> {
  const root = run.environment.workingDirectory();
  const kept = await rememberRules({ rules, destination, files: run.ruleFiles, root });
  if (kept.ok) run.policy?.addRules(kept.rules);
  return kept;
}

/** The model learns what ran in place of what it asked for. */
function changed(args: Readonly<Record<string, unknown>>): Permission {
  return { args, note: `A person changed this call before it ran. Its arguments were: ${JSON.stringify(args)}` };
}

/** Whoever answers may have said the word already. */
function refused(reason: string): Permission {
  return { output: `Denied: ${reason.replace(/^(?:Denied:\s*)+/i, '')}`, isError: true };
}
