import type { PendingToolCall } from '../tools/dispatch.ts';
import { holdsMask } from '../redact/index.ts';
import type { RegisteredTool, SessionEvent, ToolResult } from '../types/index.ts';
import type { ApprovalAnswer, ApprovalRequest } from './contract.ts';
import { answersTo, ASK_USER_QUESTION, questionsOf } from './questions.ts';
import type { Run } from './run.ts';
import { overBudget } from './tool-budget.ts';

export type Put = (event: SessionEvent) => Promise<void>;

export type Asked = { readonly call: PendingToolCall; readonly tool: RegisteredTool };

/** Whether a call may run, asked after its arguments were checked and before it starts. `halt` leaves it to whoever resumes. */
export async function permit(run: Run, put: Put, asked: Asked): Promise<ToolResult | 'halt' | null> {
  if (run.ending() !== null) return stopped(run);
  const { toolCallId, toolName } = asked.call;
  const over = overBudget(run.view(), run.settings().config.toolBudget, toolCallId);
  if (over !== null) {
    await put({ kind: 'WARNING', message: `${toolName} was not run: ${over}.` });
    return { output: `Not run: ${over}. Finish with what you have.`, isError: true };
  }
  if (asked.tool.readOnly !== true && holdsMask(JSON.stringify(asked.call.args)))
    return { output: MASKED, isError: true };
  return toolName === ASK_USER_QUESTION ? askPerson(run, put, asked.call) : approval(run, put, asked);
}

/** A mask that is written back would take the place of the secret that it hides. */
const MASKED =
  'Not run: the arguments hold a mask ("[redacted:…]"). It stands for a secret that is there but not shown to you, and would replace ' +
  'it. Change only the text around it, or let a command read the secret where it is.';

/** A question that was answered before, perhaps in another process, is not asked again. */
async function askPerson(
  run: Run,
  put: Put,
  { toolCallId, args }: PendingToolCall,
): Promise<ToolResult | 'halt' | null> {
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

async function approval(run: Run, put: Put, { call, tool }: Asked): Promise<ToolResult | 'halt' | null> {
  if (run.approve === undefined || tool.readOnly === true) return null;
  const { toolCallId, toolName, args } = call;
  await put({ kind: 'APPROVAL_REQUESTED', toolCallId, toolName, args });
  const answer = await answerOrEnd(run, { sessionId: run.sessionId, toolCallId, toolName, args, signal: run.signal });
  if (answer === null) return stopped(run);
  const reason = answer.allowed ? {} : { reason: answer.reason };
  await put({ kind: 'APPROVAL_ANSWERED', toolCallId, allowed: answer.allowed, ...reason });
  return answer.allowed ? null : { output: `Denied: ${answer.reason}`, isError: true };
}

/** Null when the session ends before there is an answer. An approval that fails is a refusal. */
async function answerOrEnd(run: Run, request: ApprovalRequest): Promise<ApprovalAnswer | null> {
  const ended = Promise.withResolvers<null>();
  const end = (): void => ended.resolve(null);
  run.signal.addEventListener('abort', end, { once: true });
  const asked = run.approve?.(request).catch((error: unknown): ApprovalAnswer => {
    return {
      allowed: false,
      reason: `the approval could not be obtained (${error instanceof Error ? error.message : String(error)})`,
    };
  });
  if (run.signal.aborted) return null;
  return Promise.race([asked ?? null, ended.promise]).finally(() => run.signal.removeEventListener('abort', end));
}

/** An aborted session answers what it did not run; a closed one leaves it open for whoever resumes. */
function stopped(run: Run): ToolResult | 'halt' {
  return run.ending() === 'aborted' ? { output: 'Not run: the work was stopped before.', isError: true } : 'halt';
}
