import type { AgentSessionOptions } from '@attractor/agent';
import { isRecord } from '@attractor/base';
import type { Answers } from '@attractor/journal';
import type { Variables } from '@attractor/system';
import { carryOutBeside, type Decide, type DecisionEffects } from './can-use-tool.ts';

type AskUser = Exclude<NonNullable<AgentSessionOptions['askUser']>, 'wait'>;

/** The model's questions, asked as a call of AskUserQuestion: its answers come back in the changed input. */
export function askUserBy(decide: Decide, effects: DecisionEffects): AskUser {
  return async ({ questions, toolCallId, signal }) => {
    const request = { tool_name: 'AskUserQuestion', input: { questions }, tool_use_id: toolCallId };
    const answer = await decide(request, signal);
    if ('failure' in answer) throw new Error(String(answer['failure']));
    carryOutBeside(answer, effects);
    const { behavior, updatedInput, message } = answer;
    if (behavior !== 'allow') throw new Error(typeof message === 'string' ? message : 'nobody answered');
    const answers = isRecord(updatedInput) ? updatedInput['answers'] : undefined;
    if (!isAnswers(answers)) throw new Error('the answer holds no `answers`');
    return answers;
  };
}

/** How the Claude Agent SDK passes `toolConfig.askUserQuestion.previewFormat` on. */
export function previewsIn(variables: Variables): AgentSessionOptions['questionPreviews'] {
  const format = variables['CLAUDE_CODE_QUESTION_PREVIEW_FORMAT'];
  return format === 'html' || format === 'markdown' ? format : undefined;
}

function isAnswers(value: unknown): value is Answers {
  return (
    isRecord(value) &&
    Object.values(value).every(
      (one) => typeof one === 'string' || (Array.isArray(one) && one.every((text) => typeof text === 'string')),
    )
  );
}
