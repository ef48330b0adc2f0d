import type { PromptOf } from '@attractor/platform';
import { offeredAnswers } from '@attractor/store/types';

/** One question as it is asked. */
export type Asked = {
  readonly id: string;
  readonly text: string;
  readonly context: string;
  readonly offered: ReadonlyArray<string>;
  /** Nothing but what is offered is an answer. */
  readonly isChoice: boolean;
  readonly isYesNo: boolean;
};

export function questionsOf({ title, payload }: PromptOf<'question'>): ReadonlyArray<Asked> {
  const { questions = [], question = title } = payload;
  if (questions.length === 0)
    return [{ id: 'answer', text: question, context: '', offered: [], isChoice: false, isYesNo: false }];
  return questions.map((asked) => {
    const isYesNo = asked.inputType === 'boolean' || asked.inputType === 'yes_no';
    const offered = offeredAnswers(asked);
    return {
      id: asked.id,
      text: asked.question,
      context: asked.context ?? '',
      offered: isYesNo && offered.length === 0 ? ['yes', 'no'] : offered,
      isChoice: (asked.inputType === 'choice' && offered.length > 0) || isYesNo,
      isYesNo,
    };
  });
}

/** The answers that a browser has kept, by the id of their question. */
export function readAnswers(kept: string): Readonly<Record<string, string>> {
  try {
    const read: unknown = JSON.parse(kept);
    return typeof read === 'object' && read !== null ? (read as Record<string, string>) : {};
  } catch {
    return {};
  }
}
