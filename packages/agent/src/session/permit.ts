import type { PendingToolCall, Permission } from '../tools/dispatch.ts';
import { holdsMask } from '../redact/index.ts';
import { approval } from './approval.ts';
import { denied, judged, stopped, type Asked, type Put } from './judge-call.ts';
import { answersTo, ASK_USER_QUESTION, questionsOf } from './questions.ts';
import type { Run } from './run.ts';
import { overBudget } from './tool-budget.ts';

/** Whether a call may run, asked after its arguments were checked and before it starts. `halt` leaves it to whoever resumes. */
export async function permit(run: Run, put: Put, asked: Asked): Promise<Permission> {
  if (run.ending() !== null) return stopped(run);
  const { toolCallId, toolName } = asked.call;
  const over = overBudget(run.view(), run.settings().config.toolBudget, toolCallId);
  if (over !== null) {
    await put({ kind: 'WARNING', message: `${toolName} was not run: ${over}.` });
    return { output: `Not run: ${over}. Finish with what you have.`, isError: true };
  }
  if (asked.tool.readOnly !== true && holdsMask(JSON.stringify(asked.call.args)))
    return { output: MASKED, isError: true };
  const permission = await permitKnown(run, put, asked);
  const runs = permission === null || (permission !== 'halt' && 'args' in permission);
  if (runs && asked.tool.readOnly !== true) await run.beforeChange?.(toolName);
  return permission;
}

/** A mask that is written back would take the place of the secret that it hides. */
const MASKED =
  'Not run: the arguments hold a mask ("[redacted:…]"). It stands for a secret that is there but not shown to you, and would replace ' +
  'it. Change only the text around it, or let a command read the secret where it is.';

async function permitKnown(run: Run, put: Put, asked: Asked): Promise<Permission> {
  const judgement = await judged(run, asked);
  if (judgement?.decision === 'deny') return denied(put, asked.call, judgement);
  if (asked.call.toolName === ASK_USER_QUESTION) return askPerson(run, put, asked.call);
  if (judgement === null) return needsNoAnswer(run, asked) ? null : approval(run, put, { ...asked, judgement });
  if (judgement.decision === 'allow') return null;
  if (run.approve !== undefined) return approval(run, put, { ...asked, judgement });
  const reason = `${judgement.reason}. That needs a person's approval, and nobody can be asked here`;
  return denied(put, asked.call, { ...judgement, reason });
}

function needsNoAnswer(run: Run, { tool }: Asked): boolean {
  return run.approve === undefined || tool.readOnly === true;
}

/** A question that was answered before, perhaps in another process, is not asked again. */
async function askPerson(run: Run, put: Put, { toolCallId, args }: PendingToolCall): Promise<Permission> {
  if (answersTo(run.view(), toolCallId) !== null) return null;
  const questions = questionsOf(args);
  await put({ kind: 'QUESTION_ASKED', toolCallId, questions });
  const { sessionId, signal } = run;
  const outcome = await run.questions.answered({ sessionId, toolCallId, questions, signal });
  if (outcome === 'answered') return null;
  return outcome === 'ended'
    ? stopped(run)
    : { output: `The person could not be asked (${outcome.failure}). Go on with what you know.`, isError: true };
}
