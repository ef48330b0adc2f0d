import type { Asking } from '@attractor/adapters';
import { type ApprovalAnswer, type ApprovalRequest, isApprovalAnswer } from '@attractor/policy';
import { contentHash, findPromptByKey, type Prompt } from '@attractor/store';
import { askPerson } from '@attractor/pipeline';
import type { RunContext } from '../run-context/run-context.ts';
import type { Waiting } from './wait-for-answer.ts';

/**
 * Asks a person whether a tool may run and waits for the answer, however long it takes. The question is tied to the call and its content:
 * asked again after a restart it is the same prompt, and an answer that came meanwhile counts. Agents that work side by side may give their
 * calls the same ids: an answer to one does not count for the other.
 */
export async function askForTool(
  context: RunContext,
  { request, asking = NEVER_AT_REST }: ToolQuestion,
  { waiting, signal }: { readonly waiting: Waiting; readonly signal: AbortSignal },
): Promise<ApprovalAnswer> {
  const prompt = await openApproval(context, request);
  const closed = await waiting.answerTo(prompt, asking, signal);
  if (closed === null) return { decision: 'reject', message: 'The run was stopped before a person answered.' };
  return isApprovalAnswer(closed.answer) ? closed.answer : { decision: 'reject' };
}

type ToolQuestion = { readonly request: ApprovalRequest; readonly asking?: Asking | undefined };

/** An agent that does not say that it rests is not ended while it waits. */
const NEVER_AT_REST: Asking = { isAtRest: () => false };

async function openApproval(context: RunContext, request: ApprovalRequest): Promise<Prompt> {
  const { run } = context.state;
  const { toolCallId, toolName, input } = request;
  const key = `tool:${toolCallId}:${request.contentHash ?? contentHash([toolName, input])}`;
  return context.transact(async (tx) => {
    const asked = await findPromptByKey(tx, run.id, key);
    if (asked !== null) return asked;
    return askPerson(
      tx,
      {
        taskId: run.taskId,
        runId: run.id,
        key,
        type: 'tool_approval',
        title: `Allow ${toolName}?`,
        payload: request,
      },
      { projectId: run.projectId, actor: { type: 'agent', name: run.agentType, runId: run.id } },
    );
  });
}
