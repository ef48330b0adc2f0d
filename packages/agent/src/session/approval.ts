import { defined, messageOf } from '@attractor/base';
import type { PendingToolCall, Permission } from '../tools/dispatch.ts';
import { validateArguments } from '../tools/validate.ts';
import {
  commandOf,
  contentHash,
  type Judgement,
  problemOfRules,
  reasonOf,
  type Remembered,
  rememberRules,
  shownCall,
  suggestionsOf,
} from '@attractor/policy';
import { holdsMask } from '@attractor/redact';
import type { Approve, GivenAnswer } from '../contract/session.ts';
import { contentOf, judged, makeUpdates, stopped, type RequestedCall, type PutEvent } from './judge-call.ts';
import { replacedText } from './replaced-text.ts';
import type { Run } from './run.ts';

/** `judgement` null: there is no policy. */
export type Asking = RequestedCall & { readonly judgement: Judgement | null };

type Request = Parameters<Approve>[0];

/**
 * Asks a person. The answer is bound to what was shown: the callback gets a copy, and what runs is what was hashed. An answer that a dead
 * process recorded for exactly the same content still counts; whatever it says, a call that a rule denies by now does not run.
 */
export async function approval(run: Run, put: PutEvent, asking: Asking): Promise<Permission> {
  const { call } = asking;
  const hash = contentHash(contentOf(run, call));
  const earlier = await givenBefore(run, asking, hash);
  if (earlier !== 'ask') return earlier;
  const { toolCallId, toolName, args } = call;
  await put({ kind: 'APPROVAL_REQUESTED', toolCallId, toolName, args, contentHash: hash });
  const request = await requestOf(run, asking, hash);
  const answer = await answerOrEnd(run, structuredClone(request));
  if (answer === null) return stopped(run);
  const refusal = await refusalOf(run, asking, { request, answer });
  if (refusal === null) return carryOut(run, put, { call, request, answer });
  await put({ kind: 'APPROVAL_ANSWERED', toolCallId, allowed: false, reason: refusal, contentHash: hash });
  return refused(refusal);
}

async function requestOf(run: Run, { call, judgement }: Asking, hash: string): Promise<Request> {
  const { toolCallId, toolName, args } = call;
  return {
    toolCallId,
    toolName,
    input: args,
    command: commandOf(args),
    contentHash: hash,
    shown: shownCall(contentOf(run, call), await replacedText(run, call)),
    ...defined({ reason: judgement?.reason, part: judgement?.part }),
    suggestions: suggestionsOf(judgement?.needs ?? [], run.ruleFiles),
  };
}

/** The permission from an earlier process's answer; `ask` if there is none for exactly this content. */
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

type Given = { readonly request: Request; readonly answer: GivenAnswer };

/** Why an answer does not allow the call, or null. */
async function refusalOf(run: Run, { call, tool }: Asking, { request, answer }: Given): Promise<string | null> {
  if (answer.contentHash !== undefined && answer.contentHash !== request.contentHash)
    return 'the answer was given for something else than what would run now. Ask again';
  if (answer.decision !== 'approve') return reasonOf(answer);
  const { input = call.args } = answer;
  if (answer.input !== undefined) {
    const wrong = await validateArguments(tool.definition, input);
    if (wrong.length > 0) return `a person changed the call, and its arguments are not valid then: ${wrong.join('; ')}`;
    if (holdsMask(JSON.stringify(input))) return 'a person changed the call, and it holds the mask of a secret then';
  }
  const judgement = await judged(run, { call: { ...call, args: input }, tool });
  return judgement?.decision === 'deny' ? judgement.reason : null;
}

/** Null if the session ends before there is an answer; one that ends it counts. An approval that fails is a refusal. */
async function answerOrEnd(run: Run, request: Request): Promise<GivenAnswer | null> {
  const { sessionId, signal } = run;
  const ended = Promise.withResolvers<null>();
  const end = (): void => void setImmediate(ended.resolve, null);
  signal.addEventListener('abort', end, { once: true });
  const asked = run.approve?.(request, { sessionId, signal }).catch((error: unknown): GivenAnswer => {
    return { decision: 'reject', message: `the approval could not be obtained (${messageOf(error)})` };
  });
  if (signal.aborted) return null;
  return Promise.race([asked ?? null, ended.promise]).finally(() => signal.removeEventListener('abort', end));
}

type Agreed = Given & { readonly call: PendingToolCall };

/**
 * Rules are saved before the answer is reported, so that readers of the event find them. If none can be saved that is reported, and the
 * answer counts this once.
 */
async function carryOut(run: Run, put: PutEvent, { call, request, answer }: Agreed): Promise<Permission> {
  const { toolCallId } = call;
  const { input: args } = answer;
  const kept = await keepRules(run, { request, answer });
  await makeUpdates(run, put, answer.updates);
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

/** Null when there are none to keep. */
async function keepRules(run: Run, { request, answer }: Given): Promise<Remembered | null> {
  if (answer.remember === undefined) return null;
  const problem = problemOfRules(request, answer);
  if (problem !== null) return { ok: false, error: { code: 'not_suggested', message: problem, retryable: false } };
  const { rules, destination } = answer.remember;
  const root = run.environment.workingDirectory();
  const kept = await rememberRules({ rules, destination, files: run.ruleFiles, root });
  if (kept.ok) run.policy?.addRules(kept.rules);
  return kept;
}

/** The model learns what ran in place of its own arguments. */
function changed(args: Readonly<Record<string, unknown>>): Permission {
  return { args, note: `A person changed this call before it ran. Its arguments were: ${JSON.stringify(args)}` };
}

/** The answer may already contain the word. */
function refused(reason: string): Permission {
  return { output: `Denied: ${reason.replace(/^(?:Denied:\s*)+/i, '')}`, isError: true };
}
