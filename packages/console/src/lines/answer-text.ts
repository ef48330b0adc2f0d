import type { PromptAnswer } from '@attractor/platform';
import { readableText } from '../terminal/escape.ts';

/** What a person answered, in one line: the decision, what they chose for each question, and their own words. */
export function answerText({ decision, message, answers = [], only }: PromptAnswer): string {
  const chosen = answers.map(({ questionId, answer }) => `${questionId}=${answer}`).join(', ');
  const parts = [
    ...(decision === 'answer' ? [] : [only === undefined ? decision : `${decision} ${only.join(', ')}`]),
    ...(chosen === '' ? [] : [chosen]),
    ...(message === undefined || message === '' ? [] : [message]),
  ];
  return readableText(parts.join(': '));
}
