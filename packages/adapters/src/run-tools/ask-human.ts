import { isRecord } from '@attractor/base';
import { type ApprovalAnswer, reasonOf } from '@attractor/policy';
import type { AgentRunOptions } from '../agent.ts';

export const ASK_HUMAN = 'ask_human';

export const ASK_HUMAN_TOOL = {
  name: ASK_HUMAN,
  description:
    'Asks the person who gave you this work one question and waits for the answer, however long it takes. Only for what you can neither find out nor safely assume.',
  inputSchema: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'The whole question.' },
      options: { type: 'array', items: { type: 'string' }, description: 'Answers to choose from, if there are some.' },
    },
    required: ['question'],
  },
} as const;

/** The person's own words, or what their yes or no means. */
export async function askHuman(
  { approve }: Pick<AgentRunOptions, 'approve'>,
  asked: { readonly toolCallId: string; readonly args: Readonly<Record<string, unknown>> },
): Promise<{ readonly text: string; readonly isError: boolean }> {
  const { question } = asked.args;
  if (typeof question !== 'string' || question.trim() === '')
    return { text: 'ask_human needs a "question".', isError: true };
  const answer = await approve({
    toolCallId: asked.toolCallId,
    toolName: ASK_HUMAN,
    input: asked.args,
    command: null,
    shown: question,
    reason: 'the agent asks a question',
  });
  return { text: wordsOf(answer), isError: false };
}

function wordsOf(answer: ApprovalAnswer): string {
  const said = isRecord(answer.input) ? answer.input['answer'] : undefined;
  if (typeof said === 'string' && said !== '') return said;
  if (answer.decision === 'approve') return answer.message ?? 'Yes.';
  return answer.message === undefined ? 'There is no answer: go on with what you know.' : reasonOf(answer);
}
