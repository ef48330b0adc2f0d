import { isRecord } from '@attractor/base';

/**
 * The payload of `needs_info` from whatever an agent made of it: one question as a text, a list of texts, questions without ids. Null if
 * there is no question in it. A question is never lost because of its form.
 */
export function readQuestions(payload: unknown): { readonly questions: ReadonlyArray<unknown> } | null {
  const listed = isRecord(payload) ? (payload['questions'] ?? payload['question'] ?? payload['message']) : payload;
  const written = Array.isArray(listed) ? listed : [listed];
  const shared = isRecord(payload) && Array.isArray(payload['options']) ? { options: payload['options'] } : {};
  const questions = written.flatMap((one, index) => {
    const fields: Readonly<Record<string, unknown>> = isRecord(one) ? one : { ...shared, question: one };
    const { question, id } = fields;
    if (typeof question !== 'string' || question.trim() === '') return [];
    return [{ ...fields, id: typeof id === 'string' && id !== '' ? id : `q${index + 1}`, question: question.trim() }];
  });
  return questions.length === 0 ? null : { questions };
}
