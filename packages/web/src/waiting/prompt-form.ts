import type { Prompt, PromptAnswer } from '@attractor/api';

/** What each kind of question is answered with. */
export type PromptFormProps = {
  readonly prompt: Prompt;
  readonly busy: boolean;
  readonly onAnswer: (answer: PromptAnswer) => void;
};
