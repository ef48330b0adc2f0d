import { type ApprovalRequest, problemOfRules } from '@attractor/policy';
import type { Prompt, PromptAnswer, PromptPayload } from '@attractor/store';

type Answers = NonNullable<PromptAnswer['answers']>;

/** Why this answer does not fit what was asked, and what would; null if it does. */
export function problemOf(prompt: Prompt, answer: PromptAnswer): string | null {
  const { answers = [] } = answer;
  if (prompt.type === 'tool_approval') return problemOfApproval(prompt.payload, answer);
  if (prompt.type === 'question') return problemOfQuestions(prompt.payload, answers);
  return prompt.type === 'options' ? problemOfOptions(prompt.payload, answers) : null;
}

function problemOfApproval(request: ApprovalRequest, answer: PromptAnswer): string | null {
  const problem = problemOfRules(request, answer);
  return problem === null ? null : `The rule can't be kept: ${problem}.`;
}

function problemOfQuestions({ questions = [] }: PromptPayload['question'], answers: Answers): string | null {
  if (questions.length === 0) return null;
  for (const { questionId, answer } of answers) {
    const asked = questions.find(({ id }) => id === questionId);
    if (asked === undefined)
      return `There is no question "${questionId}"; asked are ${questions.map(({ id }) => id).join(', ')}.`;
    const { inputType, options = [] } = asked;
    if (inputType === 'choice' && options.length > 0 && !options.includes(answer))
      return `"${answer}" is not offered for "${questionId}"; choose one of ${options.join(', ')}.`;
  }
  return null;
}

/** The names under which an option is chosen, since there is only one question. */
const CHOICE: ReadonlySet<string> = new Set(['option', 'answer']);

function problemOfOptions({ options = [] }: PromptPayload['options'], answers: Answers): string | null {
  if (options.length === 0) return null;
  for (const { questionId, answer } of answers) {
    if (!CHOICE.has(questionId)) return `There is no question "${questionId}"; choose with "option".`;
    if (!options.some(({ id, label }) => answer === id || answer === label))
      return `"${answer}" is not offered; choose one of ${options.map(({ id }) => id).join(', ')}, or say it in the message.`;
  }
  return null;
}
