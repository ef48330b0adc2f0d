/** One question of the model. The person picks from `options` or answers freely. */
export type Question = {
  readonly question: string;
  /** A word or two, for a tab or a chip. */
  readonly header: string;
  readonly options: ReadonlyArray<QuestionOption>;
  readonly multiSelect?: boolean;
};

export type QuestionOption = { readonly label: string; readonly description?: string; readonly preview?: string };

/** By the question's text: a label, several of them, or the person's own text. */
export type Answers = Readonly<Record<string, string | ReadonlyArray<string>>>;
