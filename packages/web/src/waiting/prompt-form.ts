import type { ReactNode } from 'react';
import type { PromptAnswer, PromptOf, PromptType } from '@attractor/api';

/** The answer form of each type of question. */
export type PromptFormProps<Type extends PromptType = PromptType> = {
  readonly prompt: PromptOf<Type>;
  readonly busy: boolean;
  readonly onAnswer: (answer: PromptAnswer) => void;
  /** Approves and merges in one act. Absent: there is nothing to merge. */
  readonly onMerge?: (message: string) => void;
  /** A, E and R work here: at most one form on a page has them. */
  readonly hasKeys?: boolean;
  /** Where the whole change is shown. */
  readonly changesPath?: string;
  /** The change itself is part of what is asked, not a way to it. */
  readonly withChange?: boolean;
  /** Why the last answer was not taken: for a form that shows it where its buttons are. */
  readonly refused?: ReactNode;
};
