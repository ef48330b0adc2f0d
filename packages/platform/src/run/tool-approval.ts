import { defined } from '@attractor/base';
import type { ToolApproval, ToolApprovalAnswer } from '@attractor/adapters';
import { contentHash, findPromptByKey, type Prompt } from '@attractor/store';
import { askPerson } from '../prompts/ask-person.ts';
import type { RunContext } from '../runs/run-context.ts';
import { untilClosed } from '../runs/until-closed.ts';

/**
 * Asks a person whether a tool may run and waits for the answer, however long it takes. The question belongs to the call and to what
 * it would do: asked again after a restart it is the same prompt, and an answer that came meanwhile counts. Agents that work side by
 * side may give their calls the same ids: an answer to one is none to the other.
 */
export async function askForTool(
  context: RunContext,
  request: ToolApproval,
  signal: AbortSignal,
): Promise<ToolApprovalAnswer> {
  const prompt = await openApproval(context, request);
  const closed = await untilClosed(context, prompt, signal);
  if (closed === null) return { allowed: false, reason: 'The run was stopped before a person answered.' };
  if (closed.answer?.decision === 'approve') {
    const { input, remember } = closed.answer;
    return {
      allowed: true,
      ...defined({ input, remember }),
    };
  }
  const said = closed.answer?.message;
  return { allowed: false, reason: said === undefined || said === '' ? 'A person did not allow this.' : said };
}

async function openApproval(context: RunContext, request: ToolApproval): Promise<Prompt> {
  const { run } = context.state;
  const key = `tool:${request.toolCallId}:${request.contentHash ?? contentHash([request.toolName, request.input])}`;
  return context.transact(async (tx) => {
    const asked = await findPromptByKey(tx, run.id, key);
    if (asked !== null) return asked;
    const { toolName, input, toolCallId, ...about } = request;
    const command = typeof input['command'] === 'string' ? input['command'] : null;
    return askPerson(
      tx,
      {
        taskId: run.taskId,
        runId: run.id,
        key,
        type: 'tool_approval',
        title: `Allow ${toolName}?`,
        payload: { toolCallId, toolName, input, command, ...about },
      },
      { projectId: run.projectId, actor: { type: 'agent', name: run.agentType, runId: run.id } },
    );
  });
}
