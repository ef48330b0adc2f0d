/** One thing the model wants to know. The person picks from `options` or says something else. */
export type Question = {
  readonly question: string;
  /** A word or two, for a tab or a chip. */
  readonly header: string;
  readonly options: ReadonlyArray<QuestionOption>;
  readonly multiSelect?: boolean;
};

export type QuestionOption = { readonly label: string; readonly description?: string; readonly preview?: string };

/** By the question's text: a label, several of them, or the person's own words. */
export type Answers = Readonly<Record<string, string | ReadonlyArray<string>>>;
