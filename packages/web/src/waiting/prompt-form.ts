import type { PromptAnswer, PromptOf, PromptType } from '@attractor/api';

/** What each kind of question is answered with. */
export type PromptFormProps<Type extends PromptType = PromptType> = {
  readonly prompt: PromptOf<Type>;
  readonly busy: boolean;
  readonly onAnswer: (answer: PromptAnswer) => void;
};
